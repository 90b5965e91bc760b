import { openAuditFolder } from '../audit/audit-folder.ts'
import { readAuditFolder } from '../audit/audit-source.ts'
import { openFolderTrail } from '../audit/folder-trail.ts'
import { OPERATOR_CHAIN } from '../audit/operator-acts.ts'
import { ACCOUNT_LIMIT, createRateLimit } from '../limits/rate-limit.ts'
import { openSqlitePublishers } from '../publishers/sqlite-publisher-store.ts'
import { createFileSearchLog } from '../search-log/file-search-log.ts'
import { openSqliteSessions } from '../sessions/sqlite/sqlite-sessions.ts'
import { openSqliteSessionsInThreads } from '../sessions/sqlite/sqlite-threads.ts'
import { openPostgresStores } from './postgres-stores.ts'
import type { OpenStoresOptions, Stores } from './stores.ts'

export type { Stores }

/** A command waits behind a gate on a slow disk. */
const OPERATOR_LOCK_TIMEOUT_MS = 60_000

/** Opens the stores that the settings name. Throws `DatabaseError` for a database that cannot be used as it is. */
export async function openStores(options: OpenStoresOptions): Promise<Stores> {
  const { databaseUrl, folder, context, now } = options
  if (databaseUrl !== null) return openPostgresStores(databaseUrl, options)
  const sessions =
    context === null
      ? openSqliteSessions(folder.sessions, { context, lockTimeoutMs: OPERATOR_LOCK_TIMEOUT_MS })
      : await openSqliteSessionsInThreads(folder.sessions, { context })
  const publishers = openSqlitePublishers(folder.publishers)
  return {
    sessions,
    publishers,
    searchLog: createFileSearchLog(folder.searchLog),
    accountLimit: createRateLimit({ ...ACCOUNT_LIMIT, now }),
    openTrail: (trail) => openFolderTrail(folder, trail),
    openOperatorChain: async () => openAuditFolder({ places: folder.audit, chain: OPERATOR_CHAIN, now }),
    audit: readAuditFolder(folder.audit),
    async [Symbol.asyncDispose]() {
      await sessions.close()
      await publishers.close()
    },
  }
}
