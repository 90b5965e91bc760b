import { hexOf, rowsOf, type Sql } from '../../sql/sql.ts'
import {
  GRANT_COLUMNS,
  type GrantStore,
  grantValues,
  readClientRow,
  readGrantRow,
  readOwnedGrant,
  readTokenRow,
  TOKEN_COLUMNS,
  tokenValues,
} from '../rows/grant-store.ts'
import { MAX_ROWS } from '../rows/session-store.ts'

const OF =
  'SELECT grants.*, sessions.email FROM sekisho.grants JOIN sekisho.sessions ON sessions.key = grants.session'
/** Clients beyond this are removed in the next call. */
const MAX_REMOVED = 100_000

/** Listeners for writes that a server's loss must not undo. */
interface GrantListeners {
  /** Tells if a grant is over, whatever the database says. */
  readonly hasEnded?: (id: string) => boolean
  readonly onRemoved?: (ids: readonly string[]) => void
  readonly onRefreshed?: (one: {
    readonly id: string
    readonly before: string
    readonly after: string
  }) => void
}

/**
 * Grants of agents, and the clients that registered themselves, in either database.
 * @param context null for an operator's command, which sees those of all
 */
export function createGrantStore(
  { query, together }: Sql,
  context: number | string | null,
  { hasEnded = () => false, onRemoved = () => {}, onRefreshed = () => {} }: GrantListeners = {},
): GrantStore {
  const isOwn = '($1::integer IS NULL OR context = $1)'
  const listRows = (afterId: string) =>
    query(`${OF} WHERE ${isOwn} AND grants.id > $2 ORDER BY grants.id LIMIT ${MAX_ROWS}`, [context, afterId])
  const find: GrantStore['find'] = async (id) => {
    const text = `${OF} WHERE ${isOwn} AND grants.id = $2`
    const [row] = hasEnded(id) ? [] : await query(text, [context, id], 'find_grant')
    return row === undefined ? null : readGrantRow(row)
  }
  return {
    async insert(one, token) {
      const [inserted] = await together([
        [
          `INSERT INTO sekisho.grants (${GRANT_COLUMNS}) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
           FROM sekisho.sessions WHERE key = $2 AND context = $13 AND kind = 'standing' RETURNING 1 AS one`,
          [...grantValues(one), context],
        ],
        [
          `INSERT INTO sekisho.grant_tokens (${TOKEN_COLUMNS}) SELECT $1, $2, $3, $4, $5, $6 FROM sekisho.grants WHERE id = $2`,
          tokenValues(token),
        ],
      ])
      return inserted?.length === 1
    },
    async findToken(digest) {
      const text = 'SELECT * FROM sekisho.grant_tokens WHERE digest = $1'
      const [row] = await query(text, [digest], 'find_grant_token')
      if (row === undefined) return null
      const token = readTokenRow(row)
      const grant = await find(token.grant)
      return grant === null ? null : { grant, token }
    },
    find,
    async rotate(id, before, after, access) {
      const [rotated] = await together([
        [
          'UPDATE sekisho.grants SET refresh = $1 WHERE id = $2 AND refresh = $3 RETURNING 1 AS one',
          [after, id, before],
        ],
        [
          `INSERT INTO sekisho.grant_tokens (${TOKEN_COLUMNS}) SELECT $1, $2, $3, $4, $5, $6
           FROM sekisho.grants WHERE id = $2 AND refresh = $7`,
          [...tokenValues(access), after],
        ],
      ])
      const isRotated = rotated?.length === 1
      if (isRotated) onRefreshed({ id, before, after })
      return isRotated
    },
    async ofAccount({ issuer, sub }) {
      const text = `${OF} WHERE sessions.context = $1 AND sessions.issuer = $2 AND sessions.sub = $3
        ORDER BY grants.created_at, grants.id`
      return (await query(text, [context, issuer, sub])).map(readGrantRow)
    },
    async remove(ids) {
      const named = 'id IN (SELECT value FROM unnest($2::text[]) WITH ORDINALITY AS named (value, key))'
      const [known = [], removed = []] = await together([
        [`${OF} WHERE ${isOwn} AND grants.${named}`, [context, ids]],
        [
          `DELETE FROM sekisho.grants WHERE ${named}
             AND EXISTS (SELECT 1 FROM sekisho.sessions WHERE sessions.key = grants.session AND ${isOwn}) RETURNING id`,
          [context, ids],
        ],
      ])
      onRemoved(ids)
      const gone = new Set(removed.map(({ id }) => id))
      return known.filter(({ id }) => gone.has(id)).map(readOwnedGrant)
    },
    async markUsed(uses) {
      const update = `UPDATE sekisho.grants SET calls = calls + (value::json ->> 1)::bigint,
          used_at = greatest(coalesce(used_at, 0), (value::json ->> 2)::bigint)
        FROM unnest($1::text[]) WITH ORDINALITY AS used (value, key) WHERE grants.id = value::json ->> 0`
      await together([[update, [rowsOf(uses.map(({ id, calls, usedAtMs }) => [id, calls, usedAtMs]))]]], true)
    },
    async removeExpired(atMs, unredeemedMs, unusedMs) {
      const grants = `DELETE FROM sekisho.grants
        WHERE expires_at <= $1 OR (kind = 'grant' AND refresh = '' AND created_at <= $2)
          OR (kind = 'grant' AND greatest(coalesce(used_at, 0), created_at) <= $3)`
      await together(
        [
          ['DELETE FROM sekisho.grant_tokens WHERE expires_at <= $1', [atMs]],
          [grants, [atMs, unredeemedMs, unusedMs]],
        ],
        true,
      )
    },
    list: async (afterId = '') => (await listRows(afterId)).map(readOwnedGrant),
    async listSealed(afterId = '') {
      const grants = (await listRows(afterId)).map(readGrantRow)
      const tokens = await query(
        `SELECT * FROM sekisho.grant_tokens
         WHERE grant_id IN (SELECT value FROM unnest($1::text[]) WITH ORDINALITY AS named (value, key)) ORDER BY digest`,
        [grants.map(({ id }) => id)],
      )
      return { grants, tokens: tokens.map(readTokenRow) }
    },
    async setSeals({ grants, tokens }) {
      const set = (table: string, id: string) =>
        `UPDATE sekisho.${table} SET seal = decode(value::json ->> 1, 'hex')
         FROM unnest($1::text[]) WITH ORDINALITY AS made (value, key) WHERE ${table}.${id} = value::json ->> 0`
      await together([
        [set('grants', 'id'), [rowsOf(grants.map(({ id, seal }) => [id, hexOf(seal)]))]],
        [set('grant_tokens', 'digest'), [rowsOf(tokens.map(({ digest, seal }) => [digest, hexOf(seal)]))]],
      ])
    },
    async register({ id, name, redirects }, atMs, max) {
      await together([
        [
          'INSERT INTO sekisho.agent_clients (id, name, redirects, used_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          [id, name, JSON.stringify(redirects), atMs],
        ],
        [
          `DELETE FROM sekisho.agent_clients WHERE id IN (
             SELECT id FROM sekisho.agent_clients WHERE id NOT IN (SELECT client FROM sekisho.grants)
             ORDER BY used_at DESC, id LIMIT ${MAX_REMOVED} OFFSET $1
           )`,
          [max],
        ],
      ])
    },
    async findClient(id) {
      const [row] = await query('SELECT * FROM sekisho.agent_clients WHERE id = $1', [id])
      return row === undefined ? null : readClientRow(row)
    },
    async markClientUsed(id, atMs) {
      const update = 'UPDATE sekisho.agent_clients SET used_at = greatest(used_at, $2) WHERE id = $1'
      await together([[update, [id, atMs]]], true)
    },
    async forgetClients(unusedSinceMs) {
      await query(
        'DELETE FROM sekisho.agent_clients WHERE used_at < $1 AND id NOT IN (SELECT client FROM sekisho.grants)',
        [unusedSinceMs],
      )
    },
  }
}
