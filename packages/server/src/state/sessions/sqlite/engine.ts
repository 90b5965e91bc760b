import type { SqlValue, Statement } from '../../sql/sql.ts'
import { createStatements } from '../../sql/sqlite.ts'
import type { Blocking } from '../../threads/engine.ts'
import { readRevocation } from '../rows/read-row.ts'
import { MAX_ROWS, type SessionRows } from '../rows/session-store.ts'
import { type ConnectOptions, connectSqlite, type Look, type SqliteConnection } from './connection.ts'
import { createRows } from './rows.ts'

/** The parts of the store as one connection answers them. */
export interface SqliteEngine {
  readonly sessions: Blocking<SessionRows>
  readonly sql: ReturnType<typeof createSql>
  readonly changes: { look(): Look }
  readonly connection: { close(): void; group(run: () => void): void }
}

/** Opens the store in this thread, which each of its calls holds up. Throws when the file is no database of ours. */
export function openEngine(file: string, options: ConnectOptions): SqliteEngine {
  const connection = connectSqlite(file, options)
  return {
    sessions: createRows(connection),
    sql: createSql(connection),
    changes: { look: createExternalChanges(connection) },
    connection: { close: () => connection.db.close(), group: connection.group },
  }
}

/** Tells if a statement only reads. */
export const isRead = (text: string): boolean => text.startsWith('SELECT')

/** Statements of both databases. */
function createSql({ db, assertInPlace, transaction, lazyTransaction }: SqliteConnection) {
  const run = createStatements(db)
  return {
    query(text: string, values: readonly SqlValue[] = []) {
      assertInPlace()
      return isRead(text) ? run(text, values) : transaction(() => run(text, values))
    },
    together: (statements: readonly Statement[], isLazy = false) =>
      (isLazy ? lazyTransaction : transaction)(() => statements.map(([text, values]) => run(text, values))),
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
