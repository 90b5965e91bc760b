import type { SessionRow } from './session.ts'
import type { Revocation } from './session-store.ts'

/** A row as a database returns it: columns are NOT NULL but for name and parent, and PostgreSQL's bigint comes as text. */
type Row = Readonly<Record<string, unknown>>

/** Reads a session from its row; both schemas name the columns alike. */
export function readSessionRow(row: Row): SessionRow {
  return {
    key: String(row.key),
    id: String(row.id),
    sub: String(row.sub),
    email: String(row.email),
    name: row.name === null ? null : String(row.name),
    device: String(row.device),
    address: String(row.address),
    startedAtMs: Number(row.started_at),
    lastSeenAtMs: Number(row.last_seen_at),
    provenAtMs: Number(row.proven_at),
    refresh: row.refresh instanceof Uint8Array ? row.refresh : new Uint8Array(),
    ...(typeof row.parent === 'string' && { parent: row.parent }),
  }
}

/** Reads which session an operator has ended. */
export function readRevocation(row: Row): Revocation {
  return { id: String(row.id), email: String(row.email) }
}
