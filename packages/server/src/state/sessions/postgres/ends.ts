import { END_REASONS } from '@sekisho/contract/session-response'
import type { Database } from '../../../storage/database/database.ts'
import { readSessionRow, SESSION_COLUMNS } from '../rows/read-row.ts'
import { SEALED_NOTHING_BYTES } from '../rows/seal.ts'
import { MAKING_MS, MAX_ROWS, type SessionEnds } from '../rows/session-store.ts'
import type { RecentWrites } from './recent-writes.ts'

/** Ends of sessions, and why. */
export function createEnds(
  { query }: Database,
  context: number | null,
  recent: Pick<RecentWrites, 'noteEnds'>,
): SessionEnds {
  return {
    async remove(ends) {
      const kept = ends.filter(({ reason }) => reason !== null)
      await query(
        `WITH gone AS (DELETE FROM sekisho.sessions WHERE key = ANY($1::text[]))
         INSERT INTO sekisho.session_ends SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[])
         ON CONFLICT DO NOTHING`,
        [
          ends.map(({ key }) => key),
          kept.map(({ key }) => key),
          kept.map(({ reason }) => reason),
          kept.map(({ endedAtMs }) => endedAtMs),
        ],
      )
      recent.noteEnds(ends)
    },
    async removeExpired({ startedMs, seenMs, provenMs }, atMs) {
      const rows = await query(
        `WITH gone AS (
           DELETE FROM sekisho.sessions WHERE key IN (
             SELECT key FROM sekisho.sessions
             WHERE context = $1 AND ((kind = '' AND (started_at <= $2 OR last_seen_at <= $3))
               OR (kind = 'standing' AND started_at <= $6
                 AND NOT EXISTS (SELECT 1 FROM sekisho.sessions AS hanging WHERE hanging.parent = sessions.key)
                 AND NOT EXISTS (SELECT 1 FROM sekisho.grants WHERE grants.session = sessions.key))
               OR (proven_at <= $5 AND length(refresh) <= ${SEALED_NOTHING_BYTES} AND parent IS NULL)) LIMIT ${MAX_ROWS}
           ) RETURNING ${SESSION_COLUMNS}
         ), kept AS (
           INSERT INTO sekisho.session_ends
           SELECT key, CASE WHEN started_at <= $2 THEN 'absolute' WHEN last_seen_at <= $3 THEN 'idle' ELSE 'unproven' END, $4 FROM gone
           ON CONFLICT DO NOTHING
         ) SELECT * FROM gone`,
        [context, startedMs, seenMs, atMs, provenMs, atMs - MAKING_MS],
      )
      return rows.map(readSessionRow)
    },
    async findReason(key) {
      const [row] = await query('SELECT reason FROM sekisho.session_ends WHERE key = $1', [key])
      return END_REASONS.find((reason) => reason === row?.reason) ?? null
    },
    async forgetReasons(beforeMs) {
      await query('DELETE FROM sekisho.session_ends WHERE ended_at < $1', [beforeMs])
    },
  }
}
