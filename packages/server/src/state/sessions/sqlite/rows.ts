import type { Blocking } from '../../threads/engine.ts'
import { readSessionRow, SESSION_COLUMNS, sessionValues } from '../rows/read-row.ts'
import type { SessionRow } from '../rows/session.ts'
import { MAX_CLOCK_STEP_MS, type SessionRows } from '../rows/session-store.ts'
import type { SqliteConnection } from './connection.ts'

/** Living sessions, bound accounts and spent tokens. */
export function createRows({
  db,
  context,
  assertInPlace,
  transaction,
  lazyTransaction,
}: SqliteConnection): Blocking<SessionRows> {
  const select = db.prepare('SELECT * FROM sessions WHERE key = ? AND context = ?')
  const selectAccount = db.prepare('SELECT * FROM sessions WHERE context = ? AND issuer = ? AND sub = ?')
  const selectSid = db.prepare('SELECT * FROM sessions WHERE context = ? AND issuer = ? AND sid = ?')
  const insertSession = db.prepare(
    `INSERT INTO sessions (context, ${SESSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertSpent = db.prepare('INSERT OR IGNORE INTO spent_tokens (digest, expires_at) VALUES (?, ?)')
  const deleteSpent = db.prepare('DELETE FROM spent_tokens WHERE expires_at < ?')
  const bind = db.prepare('INSERT OR IGNORE INTO accounts (email, issuer, sub, context) VALUES (?, ?, ?, ?)')
  const selectBound = db.prepare('SELECT sub FROM accounts WHERE email = ? AND issuer = ? AND context = ?')
  const updateSeen = db.prepare('UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE key = ?')
  // Each from an index: a look at every row would hold up those who read for as long as that takes.
  const count = db.prepare('SELECT count(*) AS sessions FROM sessions WHERE context = ?')
  const oldestProof = db.prepare(
    'SELECT proven_at FROM sessions WHERE context = ? AND parent IS NULL ORDER BY proven_at LIMIT 1',
  )

  /** Binds a verified address to the first account that uses it; false where it is another's. */
  function isBound({ email, issuer, sub }: SessionRow): boolean {
    const address = email.toLowerCase()
    bind.run(address, issuer, sub, context)
    return selectBound.get(address, issuer, context)?.sub === sub
  }

  return {
    find(key) {
      assertInPlace()
      const row = select.get(key, context)
      return row === undefined ? null : readSessionRow(row)
    },
    ofAccount: ({ issuer, sub }) => selectAccount.all(context, issuer, sub).map(readSessionRow),
    ofIssuerSession: (issuer, sid) => selectSid.all(context, issuer, sid).map(readSessionRow),
    insert: (row, spent) =>
      transaction(() => {
        if (insertSpent.run(spent.digest, spent.expiresAtMs).changes === 0) return 'replayed'
        if (row.parent !== undefined && select.get(row.parent, context) === undefined) return 'parent_ended'
        if (row.vouched.address && !isBound(row)) return 'account_changed'
        insertSession.run(context, ...sessionValues(row))
        return 'inserted'
      }),
    markSeen: (rows) =>
      lazyTransaction(() => {
        for (const row of rows) updateSeen.run(row.lastSeenAtMs, row.key)
      }),
    followClock: (nowMs, dueMs) =>
      lazyTransaction(() => {
        for (const [column, valueMs] of [
          ['last_seen_at', nowMs],
          ['proven_at', dueMs],
        ] as const) {
          db.prepare(
            `UPDATE sessions SET ${column} = ? WHERE context = ? AND ${column} > ? AND started_at <= ?`,
          ).run(valueMs, context, nowMs, nowMs + MAX_CLOCK_STEP_MS)
        }
      }),
    count() {
      const oldest = oldestProof.get(context)?.proven_at
      return { sessions: Number(count.get(context)?.sessions), oldestProofAtMs: readTime(oldest) }
    },
    forgetSpent: (beforeMs) => void deleteSpent.run(beforeMs),
  }
}

function readTime(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
