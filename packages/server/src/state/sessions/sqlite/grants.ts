import type { Blocking } from '../../threads/engine.ts'
import {
  GRANT_COLUMNS,
  type GrantRow,
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
import type { SqliteConnection } from './connection.ts'

/** Grants of agents, and the clients that registered themselves. */
export function createGrantStore({
  db,
  context,
  assertInPlace,
  transaction,
  lazyTransaction,
}: SqliteConnection): Blocking<GrantStore> {
  const signedIn = db.prepare("SELECT 1 FROM sessions WHERE key = ? AND context = ? AND kind = 'standing'")
  const insertGrant = db.prepare(
    `INSERT INTO grants (${GRANT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertToken = db.prepare(`INSERT INTO grant_tokens (${TOKEN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
  const of = 'SELECT grants.*, sessions.email FROM grants JOIN sessions ON sessions.key = grants.session'
  const select = db.prepare(`${of} WHERE grants.id = ?1 AND (?2 = '' OR sessions.context = ?2)`)
  const selectToken = db.prepare('SELECT * FROM grant_tokens WHERE digest = ?')
  const selectAccount = db.prepare(
    `${of} WHERE sessions.context = ? AND sessions.issuer = ? AND sessions.sub = ? ORDER BY grants.created_at, grants.id`,
  )
  const selectPage = db.prepare(
    `${of} WHERE (?1 = '' OR sessions.context = ?1) AND grants.id > ?2 ORDER BY grants.id LIMIT ${MAX_ROWS}`,
  )
  const selectTokens = db.prepare('SELECT * FROM grant_tokens WHERE grant_id = ? ORDER BY digest')
  const sealGrant = db.prepare('UPDATE grants SET seal = ? WHERE id = ?')
  const sealToken = db.prepare('UPDATE grant_tokens SET seal = ? WHERE digest = ?')
  const setRefresh = db.prepare('UPDATE grants SET refresh = ? WHERE id = ? AND refresh = ?')
  const deleteGrant = db.prepare('DELETE FROM grants WHERE id = ?')
  const use = db.prepare(
    'UPDATE grants SET calls = calls + ?, used_at = max(coalesce(used_at, 0), ?) WHERE id = ?',
  )
  const insertClient = db.prepare(
    'INSERT INTO agent_clients (id, name, redirects, used_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const selectClient = db.prepare('SELECT * FROM agent_clients WHERE id = ?')
  const useClient = db.prepare('UPDATE agent_clients SET used_at = max(used_at, ?) WHERE id = ?')
  const deleteMoreClients = db.prepare(
    `DELETE FROM agent_clients WHERE id IN (
       SELECT id FROM agent_clients WHERE id NOT IN (SELECT client FROM grants) ORDER BY used_at DESC, id LIMIT -1 OFFSET ?
     )`,
  )
  const deleteOldClients = db.prepare(
    'DELETE FROM agent_clients WHERE used_at < ? AND id NOT IN (SELECT client FROM grants)',
  )

  function find(id: string): GrantRow | null {
    const row = select.get(id, context)
    return row === undefined ? null : readGrantRow(row)
  }

  return {
    insert: (one, token) =>
      transaction(() => {
        if (signedIn.get(one.session, context) === undefined) return false
        insertGrant.run(...grantValues(one))
        insertToken.run(...tokenValues(token))
        return true
      }),
    findToken(digest) {
      assertInPlace()
      const row = selectToken.get(digest)
      if (row === undefined) return null
      const token = readTokenRow(row)
      const grant = find(token.grant)
      return grant === null ? null : { grant, token }
    },
    find,
    rotate: (id, before, after, access) =>
      transaction(() => {
        if (setRefresh.run(after, id, before).changes === 0) return false
        insertToken.run(...tokenValues(access))
        return true
      }),
    ofAccount: ({ issuer, sub }) => selectAccount.all(context, issuer, sub).map(readGrantRow),
    remove: (ids) =>
      transaction(() =>
        ids.flatMap((id) => {
          const row = select.get(id, context)
          if (row === undefined) return []
          deleteGrant.run(id)
          return [readOwnedGrant(row)]
        }),
      ),
    markUsed: (uses) =>
      lazyTransaction(() => {
        for (const { id, calls, usedAtMs } of uses) use.run(calls, usedAtMs, id)
      }),
    removeExpired: (atMs, unredeemedMs, unusedMs) =>
      lazyTransaction(() => {
        db.prepare('DELETE FROM grant_tokens WHERE expires_at <= ?').run(atMs)
        db.prepare('DELETE FROM grants WHERE expires_at <= ?').run(atMs)
        db.prepare("DELETE FROM grants WHERE kind = 'grant' AND refresh = '' AND created_at <= ?").run(
          unredeemedMs,
        )
        db.prepare(
          "DELETE FROM grants WHERE kind = 'grant' AND max(coalesce(used_at, 0), created_at) <= ?",
        ).run(unusedMs)
      }),
    list: (afterId = '') => selectPage.all(context, afterId).map(readOwnedGrant),
    listSealed(afterId = '') {
      const grants = selectPage.all(context, afterId).map(readGrantRow)
      return { grants, tokens: grants.flatMap(({ id }) => selectTokens.all(id).map(readTokenRow)) }
    },
    setSeals: ({ grants, tokens }) =>
      transaction(() => {
        for (const { id, seal } of grants) sealGrant.run(seal, id)
        for (const { digest, seal } of tokens) sealToken.run(seal, digest)
      }),
    register: ({ id, name, redirects }, atMs, max) =>
      transaction(() => {
        insertClient.run(id, name, JSON.stringify(redirects), atMs)
        deleteMoreClients.run(max)
      }),
    findClient(id) {
      const row = selectClient.get(id)
      return row === undefined ? null : readClientRow(row)
    },
    markClientUsed: (id, atMs) => void lazyTransaction(() => useClient.run(atMs, id)),
    forgetClients: (unusedSinceMs) => void deleteOldClients.run(unusedSinceMs),
  }
}
