import type { Database } from '../../../storage/database/database.ts'
import { readPlace, readRevocation } from '../rows/read-row.ts'
import {
  FIRST_PLACE,
  MAX_PLACES,
  MAX_ROWS,
  type RevocationFilter,
  type SessionOperators,
} from '../rows/session-store.ts'
import { selectSessions } from './rows.ts'

/** Operations of commands beside running gates. */
export function createOperators(database: Database, context: number | null): SessionOperators {
  const { query } = database
  return {
    list: (afterKey = '') =>
      selectSessions(
        database,
        `WHERE ($1::integer IS NULL OR context = $1) AND key > $2 ORDER BY key LIMIT ${MAX_ROWS}`,
        [context, afterKey],
      ),
    async listPlaces({ email, startedAtMs, key } = FIRST_PLACE) {
      const rows = await query(
        `SELECT email, started_at, key FROM sekisho.sessions
         WHERE ($1::integer IS NULL OR context = $1) AND (email COLLATE "C", started_at, key) > ($2, $3, $4)
         ORDER BY email COLLATE "C", started_at, key LIMIT ${MAX_PLACES}`,
        [context, email, startedAtMs, key],
      )
      return rows.map(readPlace)
    },
    pick: (keys) =>
      selectSessions(
        database,
        `JOIN unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_key, place) ON key = wanted_key
         WHERE $1::integer IS NULL OR context = $1 ORDER BY place`,
        [context, keys],
      ),
    async revoke(filter, atMs) {
      const [condition, value] = conditionOf(filter)
      const rows = await query(
        `WITH gone AS (DELETE FROM sekisho.sessions WHERE key IN (
           SELECT key FROM sekisho.sessions WHERE ${condition} LIMIT ${MAX_ROWS}
         ) RETURNING key, id, email),
         noted AS (INSERT INTO sekisho.revocations SELECT id, email FROM gone ON CONFLICT DO NOTHING),
         kept AS (INSERT INTO sekisho.session_ends SELECT key, 'revoked', $2 FROM gone ON CONFLICT DO NOTHING)
         SELECT id, email FROM gone`,
        [value, atMs],
      )
      return rows.map(readRevocation)
    },
    async unbind(email) {
      const rows = await query('DELETE FROM sekisho.accounts WHERE email = $1 RETURNING 1', [
        email.toLowerCase(),
      ])
      return rows.length > 0
    },
  }
}

function conditionOf(filter: RevocationFilter): readonly [condition: string, value: string] {
  if ('id' in filter) return ['id = $1::text', filter.id]
  if ('email' in filter) return ['lower(email) = $1::text', filter.email.toLowerCase()]
  return ["$1::text = ''", '']
}
