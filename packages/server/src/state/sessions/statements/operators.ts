import type { Sql } from '../../sql/sql.ts'
import { readPlace, readRevocation, readSessionRow, SESSION_COLUMNS } from '../rows/read-row.ts'
import {
  FIRST_PLACE,
  MAX_PLACES,
  MAX_ROWS,
  type RevocationFilter,
  type SessionOperators,
} from '../rows/session-store.ts'

/** Operations of commands beside running gates, in either database. */
export function createOperators({ query, together }: Sql, context: number | string | null): SessionOperators {
  const isOwn = '($1::integer IS NULL OR context = $1)'
  return {
    async list(afterKey = '') {
      const rows = await query(
        `SELECT ${SESSION_COLUMNS} FROM sekisho.sessions WHERE ${isOwn} AND key > $2 ORDER BY key LIMIT ${MAX_ROWS}`,
        [context, afterKey],
      )
      return rows.map(readSessionRow)
    },
    async listPlaces({ email, startedAtMs, key } = FIRST_PLACE) {
      const rows = await query(
        `SELECT email, started_at, key FROM sekisho.sessions
         WHERE ${isOwn} AND (email COLLATE "C", started_at, key) > ($2, $3, $4)
         ORDER BY email COLLATE "C", started_at, key LIMIT ${MAX_PLACES}`,
        [context, email, startedAtMs, key],
      )
      return rows.map(readPlace)
    },
    async pick(keys) {
      const rows = await query(
        `SELECT sessions.* FROM unnest($2::text[]) WITH ORDINALITY AS wanted (value, key)
         JOIN sekisho.sessions ON sessions.key = wanted.value WHERE ${isOwn} ORDER BY wanted.key`,
        [context, keys],
      )
      return rows.map(readSessionRow)
    },
    async revoke(filter, atMs) {
      const [condition, values] = conditionOf(filter)
      const found = await query(
        `SELECT key FROM sekisho.sessions WHERE ${condition} LIMIT ${MAX_ROWS}`,
        values,
      )
      const keys = found.map(({ key }) => String(key))
      const of = 'WHERE key IN (SELECT value FROM unnest($1::text[]) WITH ORDINALITY AS named (value, key))'
      const [, , revoked = []] = await together([
        [
          `INSERT INTO sekisho.session_ends (key, reason, ended_at)
           SELECT key, 'revoked', $2::bigint FROM sekisho.sessions ${of} ON CONFLICT DO NOTHING`,
          [keys, Math.trunc(atMs)],
        ],
        [
          `INSERT INTO sekisho.revocations (id, email) SELECT id, email FROM sekisho.sessions ${of} ON CONFLICT DO NOTHING`,
          [keys],
        ],
        [`DELETE FROM sekisho.sessions ${of} RETURNING id, email`, [keys]],
      ])
      return revoked.map(readRevocation)
    },
    async unbind(email) {
      const text = 'DELETE FROM sekisho.accounts WHERE email = $1 RETURNING 1 AS one'
      return (await query(text, [email.toLowerCase()])).length > 0
    },
  }
}

function conditionOf(filter: RevocationFilter): readonly [condition: string, values: readonly string[]] {
  if ('id' in filter) return ['id = $1', [filter.id]]
  if ('email' in filter) return ['lower(email) = $1', [filter.email.toLowerCase()]]
  return ['true', []]
}
