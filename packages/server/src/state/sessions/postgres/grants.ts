import type { Database, Query } from '../../../storage/database/database.ts'
import {
  GRANT_COLUMNS,
  type GrantStore,
  type GrantTokenRow,
  grantValues,
  readClientRow,
  readGrantRow,
  readOwnedGrant,
  readTokenRow,
  TOKEN_COLUMNS,
  tokenValues,
} from '../rows/grant-store.ts'
import { MAX_ROWS } from '../rows/session-store.ts'
import type { RecentWrites } from './recent-writes.ts'

const OF =
  'SELECT grants.*, sessions.email FROM sekisho.grants JOIN sekisho.sessions ON sessions.key = grants.session'

/** Grants of agents, and the clients that registered themselves. */
export function createGrantStore(
  { query, transaction }: Database,
  context: number | null,
  recent: Pick<RecentWrites, 'noteGrants' | 'noteRefreshed' | 'hasEnded'>,
): GrantStore {
  const listRows = (afterId: string) => {
    const text = `${OF} WHERE ($1::integer IS NULL OR context = $1) AND grants.id > $2 ORDER BY grants.id LIMIT ${MAX_ROWS}`
    return query(text, [context, afterId])
  }
  async function find(id: string, name?: string) {
    const text = `${OF} WHERE grants.id = $1 AND ($2::integer IS NULL OR sessions.context = $2)`
    const [row] = recent.hasEnded(id) ? [] : await query(text, [id, context], name)
    return row === undefined ? null : readGrantRow(row)
  }
  return {
    insert: (one, token) =>
      transaction(async (ask) => {
        const signedIn = `SELECT 1 FROM sekisho.sessions WHERE key = $1 AND context = $2 AND kind = 'standing'`
        if ((await ask(signedIn, [one.session, context])).length === 0) return false
        await ask(
          `INSERT INTO sekisho.grants (${GRANT_COLUMNS})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
          grantValues(one),
        )
        await addToken(ask, token)
        return true
      }),
    async findToken(digest) {
      const text = 'SELECT * FROM sekisho.grant_tokens WHERE digest = $1'
      const [row] = await query(text, [digest], 'find_grant_token')
      if (row === undefined) return null
      const token = readTokenRow(row)
      const grant = await find(token.grant, 'find_grant')
      return grant === null ? null : { grant, token }
    },
    find,
    async rotate(id, before, after, access) {
      const isRotated = await transaction(async (ask) => {
        const text =
          'UPDATE sekisho.grants SET refresh = $1 WHERE id = $2 AND refresh = $3 RETURNING 1 AS one'
        if ((await ask(text, [after, id, before])).length === 0) return false
        await addToken(ask, access)
        return true
      })
      if (isRotated) recent.noteRefreshed({ id, before, after })
      return isRotated
    },
    async ofAccount({ issuer, sub }) {
      const text = `${OF} WHERE sessions.context = $1 AND sessions.issuer = $2 AND sessions.sub = $3
        ORDER BY grants.created_at, grants.id`
      return (await query(text, [context, issuer, sub])).map(readGrantRow)
    },
    async remove(ids) {
      const rows = await query(
        `WITH gone AS (
           DELETE FROM sekisho.grants USING sekisho.sessions
           WHERE sessions.key = session AND grants.id = ANY($1::text[]) AND ($2::integer IS NULL OR context = $2)
           RETURNING grants.*, sessions.email
         ) SELECT * FROM gone`,
        [ids, context],
      )
      recent.noteGrants(ids)
      return rows.map(readOwnedGrant)
    },
    async markUsed(uses) {
      await query(
        `UPDATE sekisho.grants SET calls = grants.calls + used.calls, used_at = greatest(used_at, used.at)
         FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS used (id, calls, at) WHERE grants.id = used.id`,
        [uses.map(({ id }) => id), uses.map(({ calls }) => calls), uses.map(({ usedAtMs }) => usedAtMs)],
      )
    },
    async removeExpired(atMs, unredeemedMs, unusedMs) {
      await query('DELETE FROM sekisho.grant_tokens WHERE expires_at <= $1', [atMs])
      await query(
        `DELETE FROM sekisho.grants
         WHERE expires_at <= $1 OR (kind = 'grant' AND refresh = '' AND created_at <= $2)
           OR (kind = 'grant' AND greatest(used_at, created_at) <= $3)`,
        [atMs, unredeemedMs, unusedMs],
      )
    },
    list: async (afterId = '') => (await listRows(afterId)).map(readOwnedGrant),
    async listSealed(afterId = '') {
      const grants = (await listRows(afterId)).map(readGrantRow)
      const text = 'SELECT * FROM sekisho.grant_tokens WHERE grant_id = ANY($1::text[]) ORDER BY digest'
      return { grants, tokens: (await query(text, [grants.map(({ id }) => id)])).map(readTokenRow) }
    },
    setSeals: ({ grants, tokens }) =>
      transaction(async (ask) => {
        await ask(
          `UPDATE sekisho.grants SET seal = made.seal FROM unnest($1::text[], $2::bytea[]) AS made (id, seal)
           WHERE grants.id = made.id`,
          [grants.map(({ id }) => id), grants.map(({ seal }) => Buffer.from(seal))],
        )
        await ask(
          `UPDATE sekisho.grant_tokens SET seal = made.seal FROM unnest($1::text[], $2::bytea[]) AS made (digest, seal)
           WHERE grant_tokens.digest = made.digest`,
          [tokens.map(({ digest }) => digest), tokens.map(({ seal }) => Buffer.from(seal))],
        )
      }),
    async register({ id, name, redirects }, atMs, max) {
      const values = [id, name, JSON.stringify(redirects), atMs]
      await query(
        'INSERT INTO sekisho.agent_clients (id, name, redirects, used_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        values,
      )
      await query(
        `DELETE FROM sekisho.agent_clients WHERE id IN (
           SELECT id FROM sekisho.agent_clients WHERE id NOT IN (SELECT client FROM sekisho.grants)
           ORDER BY used_at DESC, id OFFSET $1
         )`,
        [max],
      )
    },
    async findClient(id) {
      const [row] = await query('SELECT * FROM sekisho.agent_clients WHERE id = $1', [id])
      return row === undefined ? null : readClientRow(row)
    },
    async markClientUsed(id, atMs) {
      const text = 'UPDATE sekisho.agent_clients SET used_at = greatest(used_at, $2) WHERE id = $1'
      await query(text, [id, atMs])
    },
    async forgetClients(unusedSinceMs) {
      await query(
        'DELETE FROM sekisho.agent_clients WHERE used_at < $1 AND NOT EXISTS (SELECT 1 FROM sekisho.grants WHERE client = agent_clients.id)',
        [unusedSinceMs],
      )
    },
  }
}

async function addToken(ask: Query, token: GrantTokenRow): Promise<void> {
  const text = `INSERT INTO sekisho.grant_tokens (${TOKEN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`
  await ask(text, tokenValues(token))
}
