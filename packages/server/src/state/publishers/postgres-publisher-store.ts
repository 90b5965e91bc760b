import type { Database } from '../../storage/database/database.ts'
import type { SpentToken } from '../sessions/rows/session-store.ts'
import { type PublisherStore, readTokenRow } from './publisher-store.ts'

/** Publishers of all gates on a database. Closing it leaves the database open. */
export function createPostgresPublishers(
  { query }: Pick<Database, 'query'>,
  noteSpent: (spent: SpentToken) => void = () => {},
): PublisherStore {
  return {
    async spend(digest, expiresAtMs) {
      const spent = { digest: `publisher ${digest}`, expiresAtMs }
      const rows = await query(
        'INSERT INTO sekisho.spent_tokens VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1 AS spent',
        [spent.digest, expiresAtMs],
      )
      if (rows.length > 0) noteSpent(spent)
      return rows.length > 0
    },
    forgetSpent: async () => {}, // spent ID tokens of readers lie in the same table, and are forgotten with them
    async findToken(digest) {
      const [row] = await query('SELECT * FROM sekisho.publish_tokens WHERE digest = $1', [digest])
      return row === undefined ? null : readTokenRow(row)
    },
    hasToken: async (id) =>
      (await query('SELECT 1 AS one FROM sekisho.publish_tokens WHERE id = $1', [id])).length > 0,
    async addToken(digest, { id, name, may, createdAtMs, expiresAtMs }) {
      await query('INSERT INTO sekisho.publish_tokens VALUES ($1, $2, $3, $4, $5, $6)', [
        digest,
        id,
        name,
        may.join(),
        createdAtMs,
        expiresAtMs,
      ])
    },
    listTokens: async () =>
      (await query('SELECT * FROM sekisho.publish_tokens ORDER BY created_at, id')).map(readTokenRow),
    removeToken: async (id) =>
      (await query('DELETE FROM sekisho.publish_tokens WHERE id = $1 RETURNING 1 AS removed', [id])).length >
      0,
    close: async () => {},
  }
}
