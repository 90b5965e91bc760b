import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { END_REASONS, type EndReason } from '@sekisho/contract/session-answer'
import type { SessionEnd, SessionRow } from './session.ts'

/** An ID token that was exchanged for a session and must not be exchanged again. */
export interface SpentToken {
  readonly digest: string
  readonly expiresAtMs: number
}

export type InsertResult = 'inserted' | 'replayed' | 'account_changed'

/** A session ended by another process, waiting to be recorded by the gate. */
export interface Revocation {
  readonly id: string
  readonly email: string
}

/** Which sessions an operator wants ended. */
export type RevocationFilter =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly everybody: true }

/** The database's file is not the one that was opened: what is written goes nowhere, and revocations go unseen. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError'
  readonly code = 'session_store_replaced'
}

/** Sessions on disk. Every method may throw when the disk does; callers decide what that means. */
export interface SessionStore {
  readAll(): readonly SessionRow[]
  /** One transaction: spends the token, binds the address to its account, adds the session. */
  insert(row: SessionRow, spent: SpentToken): InsertResult
  /** Removes sessions and keeps why they ended, for whoever still holds their tokens. */
  remove(ends: readonly SessionEnd[]): void
  /** Why the session of a key ended; null when that is unknown, or nobody's business. */
  findEndReason(key: string): EndReason | null
  markSeen(rows: readonly { readonly key: string; readonly lastSeenAtMs: number }[]): void
  markProven(rows: readonly Pick<SessionRow, 'key' | 'provenAtMs' | 'refresh'>[]): void
  forgetSpent(beforeMs: number): void
  /** Forgets why sessions ended that did so before. */
  forgetEnds(beforeMs: number): void
  /** Whether another process wrote since this was last asked. Throws `StoreReplacedError` as every write does. */
  hasChanged(): boolean
  revoke(filter: RevocationFilter, atMs: number): readonly Revocation[]
  takeRevocations(): readonly Revocation[]
  /** Lets another account take over an address; returns whether one was bound. */
  unbind(email: string): boolean
  close(): void
}

/** What sessions and bound accounts belong to: rows of another are nobody's here. */
export interface SessionContext {
  readonly issuer: string
  readonly projectId: string
  readonly origin: string
}

const ENDS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS session_ends (key TEXT PRIMARY KEY, reason TEXT NOT NULL, ended_at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
`

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (
    key TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, sub TEXT NOT NULL, email TEXT NOT NULL, name TEXT,
    started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, proven_at INTEGER NOT NULL, refresh BLOB NOT NULL,
    context TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', address TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spent_tokens (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS accounts (
    email TEXT NOT NULL, sub TEXT NOT NULL, context TEXT NOT NULL DEFAULT '', PRIMARY KEY (email, context)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS revocations (id TEXT PRIMARY KEY, email TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${ENDS_SCHEMA}
`

/**
 * To version 1, which knows contexts. Sessions of before may be of any, so they end: everybody signs in once more. Bound
 * accounts stay, and belong to the first gate that opens the store: forgetting them would free every address.
 */
const TO_VERSION_1 = `
  DROP TABLE IF EXISTS sessions;
  ALTER TABLE accounts RENAME TO accounts_0;
  ${SCHEMA}
  INSERT INTO accounts (email, sub) SELECT email, sub FROM accounts_0;
  DROP TABLE accounts_0;
`

/** To version 2, which knows what a session was opened with and why it ended. */
const TO_VERSION_2 = `
  ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
  ${ENDS_SCHEMA}
`

/** Waiting blocks every reader, so a locked store fails soon and the request is answered 503. */
const LOCK_TIMEOUT_MS = 250

/**
 * Opens the store, readable by its owner only. Throws when the file is no database of ours. Without a context it shows
 * the sessions of all, as an operator's command has to; a gate names its own.
 */
export function openSessionStore(file: string, owner: SessionContext | null = null): SessionStore {
  const context = owner === null ? '' : JSON.stringify([owner.issuer, owner.projectId, owner.origin])
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
  migrate(db)
  if (owner !== null) db.prepare("UPDATE OR IGNORE accounts SET context = ? WHERE context = ''").run(context)

  const version = db.prepare('PRAGMA data_version')
  const selectAll = db.prepare(
    owner === null ? 'SELECT * FROM sessions' : 'SELECT * FROM sessions WHERE context = ?',
  )
  const ownContext = owner === null ? [] : [context]
  const insertSession = db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertSpent = db.prepare('INSERT OR IGNORE INTO spent_tokens VALUES (?, ?)')
  const bind = db.prepare('INSERT OR IGNORE INTO accounts VALUES (?, ?, ?)')
  const selectBound = db.prepare('SELECT sub FROM accounts WHERE email = ? AND context = ?')
  const deleteSession = db.prepare('DELETE FROM sessions WHERE key = ?')
  const insertEnd = db.prepare('INSERT OR IGNORE INTO session_ends VALUES (?, ?, ?)')
  const selectEnd = db.prepare('SELECT reason FROM session_ends WHERE key = ?')
  const updateSeen = db.prepare('UPDATE sessions SET last_seen_at = ? WHERE key = ?')
  const updateProven = db.prepare('UPDATE sessions SET proven_at = ?, refresh = ? WHERE key = ?')
  let knownVersion = version.get()?.data_version

  const opened = statSync(file, { bigint: true })
  function assertInPlace(): void {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    const what = found === undefined ? 'deleted' : 'replaced'
    throw new StoreReplacedError(`the session store was ${what} underneath; restart the gate`)
  }

  function transaction<T>(run: () => T): T {
    assertInPlace()
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
    readAll: () => selectAll.all(...ownContext).map(readRow),
    insert: (row, spent) =>
      transaction(() => {
        if (insertSpent.run(spent.digest, spent.expiresAtMs).changes === 0) return 'replayed'
        bind.run(row.email.toLowerCase(), row.sub, context)
        if (selectBound.get(row.email.toLowerCase(), context)?.sub !== row.sub) return 'account_changed'
        insertSession.run(
          row.key,
          row.id,
          row.sub,
          row.email,
          row.name,
          row.startedAtMs,
          row.lastSeenAtMs,
          row.provenAtMs,
          row.refresh,
          context,
          row.device,
          row.address,
        )
        return 'inserted'
      }),
    remove: (ends) =>
      transaction(() => {
        for (const { key, reason, endedAtMs } of ends) {
          deleteSession.run(key)
          if (reason !== null) insertEnd.run(key, reason, endedAtMs)
        }
      }),
    findEndReason(key) {
      const found = selectEnd.get(key)?.reason
      return END_REASONS.find((reason) => reason === found) ?? null
    },
    forgetEnds: (beforeMs) => void db.prepare('DELETE FROM session_ends WHERE ended_at < ?').run(beforeMs),
    markSeen: (rows) =>
      transaction(() => {
        for (const row of rows) updateSeen.run(row.lastSeenAtMs, row.key)
      }),
    markProven: (rows) =>
      transaction(() => {
        for (const row of rows) updateProven.run(row.provenAtMs, row.refresh, row.key)
      }),
    forgetSpent: (beforeMs) => void db.prepare('DELETE FROM spent_tokens WHERE expires_at < ?').run(beforeMs),
    hasChanged() {
      assertInPlace()
      const found = version.get()?.data_version
      const changed = found !== knownVersion
      knownVersion = found
      return changed
    },
    revoke: (filter, atMs) => transaction(() => revoke(db, filter, atMs)),
    takeRevocations() {
      if (db.prepare('SELECT 1 FROM revocations LIMIT 1').get() === undefined) return []
      return db.prepare('DELETE FROM revocations RETURNING id, email').all().map(readRevocation)
    },
    unbind: (email) =>
      db.prepare('DELETE FROM accounts WHERE email = ?').run(email.toLowerCase()).changes > 0,
    close: () => db.close(),
  }
}

function migrate(db: DatabaseSync): void {
  const readVersion = () => Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (readVersion() >= 2) return
  db.exec('BEGIN IMMEDIATE')
  try {
    const isOlder = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").get() !== undefined
    if (readVersion() === 0) db.exec(`${isOlder ? TO_VERSION_1 : SCHEMA} PRAGMA user_version = 2;`)
    if (readVersion() === 1) db.exec(`${TO_VERSION_2} PRAGMA user_version = 2;`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function revoke(db: DatabaseSync, filter: RevocationFilter, atMs: number): readonly Revocation[] {
  const [condition, value] =
    'id' in filter
      ? (['id = ?', filter.id] as const)
      : 'email' in filter
        ? (['lower(email) = ?', filter.email.toLowerCase()] as const)
        : (["'' = ?", ''] as const)
  db.prepare(
    `INSERT OR IGNORE INTO session_ends SELECT key, 'revoked', ${Math.trunc(atMs)} FROM sessions WHERE ${condition}`,
  ).run(value)
  const ended = db
    .prepare(`DELETE FROM sessions WHERE ${condition} RETURNING id, email`)
    .all(value)
    .map(readRevocation)
  const note = db.prepare('INSERT OR IGNORE INTO revocations VALUES (?, ?)')
  for (const { id, email } of ended) note.run(id, email)
  return ended
}

type Row = Record<string, SQLOutputValue>

function readRevocation(row: Row): Revocation {
  return { id: String(row.id), email: String(row.email) }
}

/** The schema is STRICT, so the columns have the types it names. */
function readRow(row: Row): SessionRow {
  return {
    key: String(row.key),
    id: String(row.id),
    sub: String(row.sub),
    email: String(row.email),
    name: row.name === null ? null : String(row.name),
    startedAtMs: Number(row.started_at),
    lastSeenAtMs: Number(row.last_seen_at),
    provenAtMs: Number(row.proven_at),
    device: String(row.device),
    address: String(row.address),
    refresh: row.refresh instanceof Uint8Array ? row.refresh : new Uint8Array(),
  }
}
