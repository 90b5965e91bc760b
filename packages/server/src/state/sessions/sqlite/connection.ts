import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Revocation, SessionContext } from '../rows/session-store.ts'
import { migrateSqlite } from './schema.ts'

/** The database's file is not the one that was opened: what is written goes nowhere, and revocations go unseen. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError'
  readonly code = 'session_store_replaced'
}

/** An open database, asked with blocking calls. */
export interface SqliteConnection {
  readonly db: DatabaseSync
  /** Mark of this gate's rows; empty for an operator's command, which sees those of all. */
  readonly context: string
  /** Throws {@link StoreReplacedError} unless the file is still the one that was opened. */
  assertInPlace(): void
  /** On the disk when it returns. */
  transaction<T>(run: () => T): T
  /** The same for what a power cut may take back: it waits for no sync. */
  lazyTransaction<T>(run: () => T): T
  /** Has the transactions inside of it share one sync, each whole or undone by itself; on the disk when it returns. */
  group(run: () => void): void
}

/** Changes by others since the last look. */
export interface Look {
  /** Another process wrote anything at all. */
  readonly isChanged: boolean
  readonly revoked: readonly Revocation[]
}

export interface ConnectOptions {
  /** Null for an operator's command, which sees what belongs to any gate. */
  readonly context: SessionContext | null
  /** Time that a call, and its whole thread, waits for another process' write. */
  readonly lockTimeoutMs: number
}

/** Mark of the rows of a context; empty for an operator's command. */
export const contextName = (owner: SessionContext | null): string =>
  owner === null ? '' : JSON.stringify([owner.issuer, owner.projectId, owner.origin])

/** Opens the database, readable by its owner only. Throws when the file is no database of ours. */
export function connectSqlite(file: string, { context, lockTimeoutMs }: ConnectOptions): SqliteConnection {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: lockTimeoutMs })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
  migrateSqlite(db)
  const opened = statSync(file, { bigint: true })

  function assertInPlace(): void {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    const what = found === undefined ? 'deleted' : 'replaced'
    throw new StoreReplacedError(`the session store was ${what} underneath; restart the gate`)
  }
  let isGrouped = false
  function savepoint<T>(run: () => T): T {
    db.exec('SAVEPOINT one')
    try {
      const result = run()
      db.exec('RELEASE one')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK TO one; RELEASE one')
      throw error
    }
  }
  function transaction<T>(run: () => T): T {
    assertInPlace()
    if (isGrouped) return savepoint(run)
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = run()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  return {
    db,
    context: contextName(context),
    assertInPlace,
    transaction,
    group(run) {
      transaction(() => {
        isGrouped = true
        try {
          run()
        } finally {
          isGrouped = false
        }
      })
    },
    lazyTransaction(run) {
      if (isGrouped) return transaction(run)
      db.exec('PRAGMA synchronous = NORMAL')
      try {
        return transaction(run)
      } finally {
        db.exec('PRAGMA synchronous = FULL')
      }
    },
  }
}
