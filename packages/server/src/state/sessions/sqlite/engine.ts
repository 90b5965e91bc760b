import type { GrantStore } from '../rows/grant-store.ts'
import type { SessionEnds, SessionOperators, SessionProofs, SessionRows } from '../rows/session-store.ts'
import { type Blocking, type ConnectOptions, connectSqlite, type Look } from './connection.ts'
import { createEnds } from './ends.ts'
import { createExternalChanges } from './external-changes.ts'
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
