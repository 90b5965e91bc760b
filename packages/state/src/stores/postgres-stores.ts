import { join } from 'node:path'
import { deriveAuditKey } from '../audit/audit-key.ts'
import { openAuditTrail } from '../audit/audit-trail.ts'
import { OPERATOR_CHAIN } from '../audit/operator-acts.ts'
import { openPostgresAudit, readGateChain, readPostgresAudit } from '../audit/postgres-audit.ts'
import { readLocalSecret } from '../data-folder.ts'
import { DatabaseError, openDatabase } from '../database/database.ts'
import { assertMigrated } from '../database/migrate.ts'
import { createPostgresRateLimit, forgetFullBuckets } from '../limits/postgres-rate-limit.ts'
import { ACCOUNT_LIMIT } from '../limits/rate-limit.ts'
import { createPostgresPublishers } from '../publishers/postgres-publisher-store.ts'
import { createPostgresSearchLog } from '../search-log/postgres-search-log.ts'
import { createPostgresSessions, readContextId } from '../sessions/postgres/postgres-sessions.ts'
import type { OpenStoresOptions, Stores } from './stores.ts'

/** Opens the stores in a database that gates share. Throws `DatabaseError` when it cannot be used as it is. */
export async function openPostgresStores(
  url: string,
  { context, folder, secret, onProblem }: OpenStoresOptions,
): Promise<Stores> {
  const database = await openDatabase({ url, isOperator: context === null, onProblem })
  try {
    await assertMigrated(database)
    const id = context === null ? null : await readContextId(database, context)
    const sessions = createPostgresSessions(database, id)
    return {
      sessions: {
        ...sessions,
        sessions: {
          ...sessions.sessions,
          async forgetSpent(beforeMs) {
            await sessions.sessions.forgetSpent(beforeMs)
            await forgetFullBuckets(database)
          },
        },
      },
      publishers: createPostgresPublishers(database),
      searchLog: createPostgresSearchLog(database, id),
      accountLimit: createPostgresRateLimit(database, `sign-in ${id}`, ACCOUNT_LIMIT),
      async openTrail(trail) {
        const chain = readGateChain(join(folder.root, 'gate-id'))
        const store = await openPostgresAudit(database, chain, { mayRemove: false })
        const key = deriveAuditKey(secret ?? readLocalSecret(folder))
        return openAuditTrail({ ...trail, chain, store, key })
      },
      openOperatorChain: () => openPostgresAudit(database, OPERATOR_CHAIN, { mayRemove: false }),
      audit: readPostgresAudit(database),
      async [Symbol.asyncDispose]() {
        await sessions.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    if (error instanceof DatabaseError || !(error instanceof Error)) throw error
    throw new DatabaseError(error.message, { cause: error })
  }
}
