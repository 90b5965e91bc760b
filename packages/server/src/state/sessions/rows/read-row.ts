import { SEALED_NOTHING_BYTES } from './seal.ts'
import type { SessionRow, Vouched } from './session.ts'
import type { Revocation, SessionPlace } from './session-store.ts'

/** A row as a database returns it: columns are NOT NULL but for name and parent, and PostgreSQL's bigint comes as text. */
type Row = Readonly<Record<string, unknown>>

/** Reads a session from its row; both schemas name the columns alike. */
export function readSessionRow(row: Row): SessionRow {
  const refresh = row.refresh instanceof Uint8Array ? row.refresh : new Uint8Array()
  return {
    key: String(row.key),
    id: String(row.id),
    issuer: String(row.issuer),
    sub: String(row.sub),
    email: String(row.email),
    name: row.name === null ? null : String(row.name),
    sid: row.sid === null ? null : String(row.sid),
    vouched: readVouched(String(row.vouched)),
    device: String(row.device),
    address: String(row.address),
    startedAtMs: Number(row.started_at),
    lastSeenAtMs: Number(row.last_seen_at),
    provenAtMs: Number(row.proven_at),
    isProvable: refresh.length > SEALED_NOTHING_BYTES || typeof row.parent === 'string',
    refresh,
    ...(typeof row.parent === 'string' && { parent: row.parent }),
    ...(row.kind === 'standing' && { kind: 'standing' }),
  }
}

/** Columns of a session in both schemas, but for its context. */
export const SESSION_COLUMNS =
  'key, id, issuer, sub, email, name, sid, vouched, device, address, started_at, last_seen_at, proven_at, refresh, parent, kind'

/** Values of a session in the order of {@link SESSION_COLUMNS}. */
export const sessionValues = (row: SessionRow) => [
  ...[row.key, row.id, row.issuer, row.sub, row.email, row.name, row.sid, writeVouched(row.vouched)],
  ...[row.device, row.address, row.startedAtMs, row.lastSeenAtMs, row.provenAtMs],
  ...[row.refresh, row.parent ?? null, row.kind ?? ''],
]

/** An issuer's statement, from `writeVouched`; any other text vouches for nothing. */
function readVouched(text: string): Vouched {
  const value: unknown = JSON.parse(text)
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const [address, completeness, ...groups] = isList ? (value as readonly string[]) : []
  return { address: address === 'address', hasAllGroups: completeness === 'all', groups }
}

/** One column for what is renewed with each proof. */
export function writeVouched({ address, groups, hasAllGroups }: Vouched): string {
  return JSON.stringify([address ? 'address' : '', hasAllGroups ? 'all' : '', ...groups])
}

/** Reads where a session stands among all. */
export function readPlace(row: Row): SessionPlace {
  return { email: String(row.email), startedAtMs: Number(row.started_at), key: String(row.key) }
}

/** Reads which session an operator has ended. */
export function readRevocation(row: Row): Revocation {
  return { id: String(row.id), email: String(row.email) }
}
