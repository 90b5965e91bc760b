import type { Blocking } from '../../threads/engine.ts'
import type { GrantStore } from '../rows/grant-store.ts'
import { readRevocation } from '../rows/read-row.ts'
import {
  MAX_ROWS,
  type SessionEnds,
  type SessionOperators,
  type SessionProofs,
  type SessionRows,
} from '../rows/session-store.ts'
import { type ConnectOptions, connectSqlite, type Look, type SqliteConnection } from './connection.ts'
import { createEnds } from './ends.ts'
import { createGrantStore } from './grants.ts'
import { createOperators } from './operators.ts'
import { createProofs } from './proofs.ts'
import { createRows } from './rows.ts'

/** The parts of the store as one connection answers them. */
export interface SqliteEngine {
  readonly sessions: Blocking<SessionRows>
  readonly proofs: Blocking<Omit<SessionProofs, 'holdProving'>>
  readonly ends: Blocking<SessionEnds>
  readonly operators: Blocking<SessionOperators>
  readonly grants: Blocking<GrantStore>
  readonly changes: { look(): Look }
  readonly connection: { close(): void; group(run: () => void): void }
}

/** Opens the store in this thread, which each of its calls holds up. Throws when the file is no database of ours. */
export function openEngine(file: string, options: ConnectOptions): SqliteEngine {
  const connection = connectSqlite(file, options)
  return {
    sessions: createRows(connection),
    proofs: createProofs(connection),
    ends: createEnds(connection),
    operators: createOperators(connection),
    grants: createGrantStore(connection),
    changes: { look: createExternalChanges(connection) },
    connection: { close: () => connection.db.close(), group: connection.group },
  }
}

/** Looks for what other processes wrote: SQLite counts their commits, and operators leave what they revoked. */
function createExternalChanges({ db, assertInPlace }: SqliteConnection): () => Look {
  const version = db.prepare('PRAGMA data_version')
  const someRevocation = db.prepare('SELECT 1 FROM revocations LIMIT 1')
  const takeRevocations = db.prepare(
    `DELETE FROM revocations WHERE id IN (SELECT id FROM revocations LIMIT ${MAX_ROWS}) RETURNING id, email`,
  )
  let knownVersion: unknown // none at first: what was written before this look may be unknown to whoever asks
  return () => {
    assertInPlace()
    const found = version.get()?.data_version
    const revoked = someRevocation.get() === undefined ? [] : takeRevocations.all().map(readRevocation)
    const isChanged = found !== knownVersion
    knownVersion = found
    return { isChanged, revoked }
  }
}
