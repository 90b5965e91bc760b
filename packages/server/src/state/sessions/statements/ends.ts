import { END_REASONS } from '@sekisho/contract/session-response'
import { rowsOf, type Sql } from '../../sql/sql.ts'
import { readSessionRow } from '../rows/read-row.ts'
import { SEALED_NOTHING_BYTES } from '../rows/seal.ts'
import type { SessionEnd } from '../rows/session.ts'
import { MAKING_MS, MAX_ROWS, type SessionEnds } from '../rows/session-store.ts'

/** Expired sessions, by an index of SQLite's for each reason: a look at every row would hold up those who read. */
const EXPIRED = `SELECT * FROM sekisho.sessions WHERE key IN (
  SELECT key FROM sekisho.sessions WHERE context = $1 AND last_seen_at <= $2 AND kind = '' UNION
  SELECT key FROM sekisho.sessions WHERE context = $1 AND started_at <= $3 AND kind = '' UNION
  SELECT key FROM sekisho.sessions WHERE context = $1 AND started_at <= $5 AND kind = 'standing'
    AND NOT EXISTS (SELECT 1 FROM sekisho.sessions AS hanging WHERE hanging.parent = sessions.key)
    AND NOT EXISTS (SELECT 1 FROM sekisho.grants WHERE grants.session = sessions.key) UNION
  SELECT key FROM sekisho.sessions WHERE context = $1 AND proven_at <= $4 AND length(refresh) <= ${SEALED_NOTHING_BYTES} AND parent IS NULL
  LIMIT ${MAX_ROWS}
)`

/** Ends of sessions, and why, in either database. */
export function createEnds(
  { query, together }: Sql,
  context: number | string | null,
  onEnded: (ends: readonly SessionEnd[]) => void = () => {},
): SessionEnds {
  /** Resolves to the keys that were there: of several gates one ends a session. */
  async function remove(ends: readonly SessionEnd[]): Promise<ReadonlySet<unknown>> {
    const kept = ends.filter(({ reason }) => reason !== null)
    const [removed = []] = await together([
      [
        `DELETE FROM sekisho.sessions
         WHERE key IN (SELECT value FROM unnest($1::text[]) WITH ORDINALITY AS ended (value, key)) RETURNING key`,
        [ends.map(({ key }) => key)],
      ],
      [
        `INSERT INTO sekisho.session_ends (key, reason, ended_at)
         SELECT value::json ->> 0, value::json ->> 1, (value::json ->> 2)::bigint
         FROM unnest($1::text[]) WITH ORDINALITY AS ended (value, key) WHERE true ON CONFLICT DO NOTHING`,
        [rowsOf(kept.map(({ key, reason, endedAtMs }) => [key, reason, endedAtMs]))],
      ],
    ])
    return new Set(removed.map(({ key }) => key))
  }
  return {
    async remove(ends) {
      await remove(ends)
      onEnded(ends)
    },
    async removeExpired({ startedMs, seenMs, provenMs }, endedAtMs) {
      const values = [context, seenMs, startedMs, provenMs, endedAtMs - MAKING_MS]
      const rows = (await query(EXPIRED, values)).map(readSessionRow)
      if (rows.length === 0) return []
      const removed = await remove(
        rows.map(({ key, startedAtMs, lastSeenAtMs }) => {
          const unused = lastSeenAtMs <= seenMs ? 'idle' : 'unproven'
          return { key, endedAtMs, reason: startedAtMs <= startedMs ? 'absolute' : unused }
        }),
      )
      return rows.filter(({ key }) => removed.has(key))
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
