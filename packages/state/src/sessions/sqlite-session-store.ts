import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { END_REASONS } from '@sekisho/contract/session-answer'
import { readRevocation, readSessionRow } from './read-row.ts'
import type { SessionEnd } from './session.ts'
import {
  type ChangeListener,
  MAX_ROWS,
  type Revocation,
  type RevocationFilter,
  type SessionContext,
  type SessionStore,
} from './session-store.ts'
import { migrateSqlite } from './sqlite-schema.ts'

/** The database's file is not the one that was opened: what is written goes nowhere, and revocations go unseen. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError'
  readonly code = 'session_store_replaced'
}

/** Waiting blocks every reader, so a locked store fails soon and the request is answered 503. */
const LOCK_TIMEOUT_MS = 250
/** How long revocations by another process may stay unseen before memory answers nobody. */
const MAX_BLIND_MS = 30_000
/** A session that began later than this ahead of the clock is of another time, and left alone. */
const MAX_CLOCK_STEP_MS = 300_000

export interface SqliteSessionsOptions {
  /** Null shows the sessions of all, as an operator's command has to; a gate names its own. */
  readonly context: SessionContext | null
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
}

/**
 * Opens the store, readable by its owner only. Throws when the file is no database of ours. Rows stay true in memory until
 * another process writes, which `takeRevocations` looks for.
 */
export function openSqliteSessions(
  file: string,
  { context: owner, elapsed = () => performance.now() }: SqliteSessionsOptions,
): SessionStore {
  const context = owner === null ? '' : JSON.stringify([owner.issuer, owner.projectId, owner.origin])
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
  migrateSqlite(db)
  if (owner !== null) db.prepare("UPDATE OR IGNORE accounts SET context = ? WHERE context = ''").run(context)

  const version = db.prepare('PRAGMA data_version')
  const select = db.prepare('SELECT * FROM sessions WHERE key = ? AND context = ?')
  const selectAccount = db.prepare('SELECT * FROM sessions WHERE context = ? AND sub = ?')
  const selectDue = db.prepare(
    `SELECT * FROM sessions WHERE context = ? AND parent IS NULL AND proven_at <= ? AND (proven_at, key) > (?, ?)
     ORDER BY proven_at, key LIMIT ${MAX_ROWS}`,
  )
  const insertSession = db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertSpent = db.prepare('INSERT OR IGNORE INTO spent_tokens VALUES (?, ?)')
  const bind = db.prepare('INSERT OR IGNORE INTO accounts VALUES (?, ?, ?)')
  const selectBound = db.prepare('SELECT sub FROM accounts WHERE email = ? AND context = ?')
  const deleteSession = db.prepare('DELETE FROM sessions WHERE key = ?')
  const insertEnd = db.prepare('INSERT OR IGNORE INTO session_ends VALUES (?, ?, ?)')
  const selectEnd = db.prepare('SELECT reason FROM session_ends WHERE key = ?')
  const updateSeen = db.prepare('UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE key = ?')
  const updateProven = db.prepare(
    'UPDATE sessions SET proven_at = ?, refresh = ? WHERE key = ? AND proven_at = ?',
  )
  const count = db.prepare(
    `SELECT count(*) AS sessions, min(proven_at) FILTER (WHERE parent IS NULL) AS oldest FROM sessions
     WHERE context = ?`,
  )
  const listeners: ChangeListener[] = []
  let knownVersion = version.get()?.data_version
  /** Since when changes by others could not be looked for. */
  let blindSinceMs: number | null = null

  const opened = statSync(file, { bigint: true })
  function assertInPlace(): void {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    blindSinceMs = Number.NEGATIVE_INFINITY // of another store nothing is known at all
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

  function end(ends: readonly SessionEnd[]): void {
    for (const { key, reason, endedAtMs } of ends) {
      deleteSession.run(key)
      if (reason !== null) insertEnd.run(key, reason, endedAtMs)
    }
  }

  function lookForChanges(): void {
    assertInPlace()
    const found = version.get()?.data_version
    if (found === knownVersion) return
    for (const listener of listeners) listener(null)
    knownVersion = found
  }

  return {
    async find(key) {
      assertInPlace()
      const row = select.get(key, context)
      return row === undefined ? null : readSessionRow(row)
    },
    ofAccount: async (sub) => selectAccount.all(context, sub).map(readSessionRow),
    insert: async (row, spent) =>
      transaction(() => {
        if (insertSpent.run(spent.digest, spent.expiresAtMs).changes === 0) return 'replayed'
        if (row.parent !== undefined && select.get(row.parent, context) === undefined) return 'parent_ended'
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
          row.parent ?? null,
        )
        return 'inserted'
      }),
    remove: async (ends) => transaction(() => end(ends)),
    async findEndReason(key) {
      const found = selectEnd.get(key)?.reason
      return END_REASONS.find((reason) => reason === found) ?? null
    },
    markSeen: async (rows) =>
      transaction(() => {
        for (const row of rows) updateSeen.run(row.lastSeenAtMs, row.key)
      }),
    markProven: async (rows) =>
      transaction(() => {
        for (const row of rows) updateProven.run(row.provenAtMs, row.refresh, row.key, row.previousProofAtMs)
      }),
    listDue: async (provenByMs, after) =>
      selectDue
        .all(context, provenByMs, after?.provenAtMs ?? Number.MIN_SAFE_INTEGER, after?.key ?? '')
        .map(readSessionRow),
    holdProving: async () => true, // the data folder's lock lets in one gate
    removeExpired: async ({ startedMs, seenMs }, endedAtMs) => {
      const find = db.prepare(
        `SELECT * FROM sessions WHERE context = ?1 AND last_seen_at <= ?2 UNION
         SELECT * FROM sessions WHERE context = ?1 AND started_at <= ?3 LIMIT ${MAX_ROWS}`,
      )
      const rows = find.all(context, seenMs, startedMs).map(readSessionRow)
      const ends = rows.map(({ key, startedAtMs }) => {
        return { key, endedAtMs, reason: startedAtMs <= startedMs ? 'absolute' : 'idle' } as const
      })
      if (ends.length > 0) transaction(() => end(ends))
      return rows
    },
    followClock: async (nowMs, dueMs) =>
      transaction(() => {
        const latestStartMs = nowMs + MAX_CLOCK_STEP_MS
        for (const [column, valueMs] of [
          ['last_seen_at', nowMs],
          ['proven_at', dueMs],
        ] as const) {
          db.prepare(
            `UPDATE sessions SET ${column} = ? WHERE context = ? AND ${column} > ? AND started_at <= ?`,
          ).run(valueMs, context, nowMs, latestStartMs)
        }
      }),
    async count() {
      const row = count.get(context)
      return { sessions: Number(row?.sessions), oldestProofAtMs: (row?.oldest ?? null) as number | null }
    },
    forgetEnds: async (beforeMs) =>
      void db.prepare('DELETE FROM session_ends WHERE ended_at < ?').run(beforeMs),
    forgetSpent: async (beforeMs) =>
      void db.prepare('DELETE FROM spent_tokens WHERE expires_at < ?').run(beforeMs),

    maxAgeMs: Number.POSITIVE_INFINITY,
    hears: () => blindSinceMs === null || elapsed() <= blindSinceMs + MAX_BLIND_MS,
    subscribe: (listener) => void listeners.push(listener),
    async takeRevocations() {
      try {
        lookForChanges()
        const revoked = takeRevocations(db)
        blindSinceMs = null
        return revoked
      } catch (error) {
        blindSinceMs ??= elapsed()
        throw error
      }
    },

    list: async () =>
      db.prepare("SELECT * FROM sessions WHERE ?1 = '' OR context = ?1").all(context).map(readSessionRow),
    revoke: async (filter, atMs) => transaction(() => revoke(db, filter, atMs)),
    unbind: async (email) =>
      db.prepare('DELETE FROM accounts WHERE email = ?').run(email.toLowerCase()).changes > 0,
    close: async () => db.close(),
  }
}

function takeRevocations(db: DatabaseSync): readonly Revocation[] {
  if (db.prepare('SELECT 1 FROM revocations LIMIT 1').get() === undefined) return []
  return db
    .prepare(
      `DELETE FROM revocations WHERE id IN (SELECT id FROM revocations LIMIT ${MAX_ROWS}) RETURNING id, email`,
    )
    .all()
    .map(readRevocation)
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
