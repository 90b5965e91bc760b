import { END_REASONS } from '@sekisho/contract/session-response'
import type { Blocking } from '../../threads/engine.ts'
import { readSessionRow } from '../rows/read-row.ts'
import { SEALED_NOTHING_BYTES } from '../rows/seal.ts'
import type { SessionEnd } from '../rows/session.ts'
import { MAKING_MS, MAX_ROWS, type SessionEnds } from '../rows/session-store.ts'
import type { SqliteConnection } from './connection.ts'

/** Ends of sessions, and why. */
export function createEnds({ db, context, transaction }: SqliteConnection): Blocking<SessionEnds> {
  const deleteSession = db.prepare('DELETE FROM sessions WHERE key = ?')
  const insertReason = db.prepare(
    'INSERT OR IGNORE INTO session_ends (key, reason, ended_at) VALUES (?, ?, ?)',
  )
  const selectReason = db.prepare('SELECT reason FROM session_ends WHERE key = ?')
  const deleteReasons = db.prepare('DELETE FROM session_ends WHERE ended_at < ?')
  const selectExpired = db.prepare(
    `SELECT * FROM sessions WHERE context = ?1 AND last_seen_at <= ?2 AND kind = '' UNION
     SELECT * FROM sessions WHERE context = ?1 AND started_at <= ?3 AND kind = '' UNION
     SELECT * FROM sessions WHERE context = ?1 AND started_at <= ?5 AND kind = 'standing'
       AND NOT EXISTS (SELECT 1 FROM sessions AS hanging WHERE hanging.parent = sessions.key)
       AND NOT EXISTS (SELECT 1 FROM grants WHERE grants.session = sessions.key) UNION
     SELECT * FROM sessions WHERE context = ?1 AND proven_at <= ?4 AND length(refresh) <= ${SEALED_NOTHING_BYTES} AND parent IS NULL
     LIMIT ${MAX_ROWS}`,
  )
  function remove(ends: readonly SessionEnd[]): void {
    for (const { key, reason, endedAtMs } of ends) {
      deleteSession.run(key)
      if (reason !== null) insertReason.run(key, reason, endedAtMs)
    }
  }
  return {
    remove: (ends) => transaction(() => remove(ends)),
    removeExpired({ startedMs, seenMs, provenMs }, endedAtMs) {
      const rows = selectExpired
        .all(context, seenMs, startedMs, provenMs, endedAtMs - MAKING_MS)
        .map(readSessionRow)
      const ends = rows.map(({ key, startedAtMs, lastSeenAtMs }) => {
        const unused = lastSeenAtMs <= seenMs ? 'idle' : 'unproven'
        return { key, endedAtMs, reason: startedAtMs <= startedMs ? 'absolute' : unused } as const
      })
      if (ends.length > 0) transaction(() => remove(ends))
      return rows
    },
    findReason(key) {
      const found = selectReason.get(key)?.reason
      return END_REASONS.find((reason) => reason === found) ?? null
    },
    forgetReasons: (beforeMs) => void deleteReasons.run(beforeMs),
  }
}
