import { join } from 'node:path'
import { OPERATOR_CHAIN } from '../../audit/operator-acts.ts'
import {
  measurePostgresAudit,
  openPostgresAudit,
  readGateChain,
  readPostgresAudit,
} from '../../audit/postgres/postgres-audit.ts'
import { createPostgresTrim } from '../../audit/postgres/postgres-trim.ts'
import { openAuditTrail } from '../../audit/writing/audit-trail.ts'
import { DatabaseError, openDatabase } from '../../storage/database/database.ts'
import { assertMigrated } from '../../storage/database/migrate.ts'
import { createReaderRecords } from '../acknowledgements/reader-records.ts'
import { createPostgresDailySum } from '../limits/daily-sum.ts'
import { createPostgresRateLimit, forgetFullBuckets } from '../limits/postgres-rate-limit.ts'
import { ACCOUNT_LIMIT, createRateLimit, REGISTRATION_LIMIT } from '../limits/rate-limit.ts'
import { createPublisherStore } from '../publishers/publisher-store.ts'
import { createPostgresSearchLog } from '../search-log/postgres-search-log.ts'
import { openPostgresSecret } from '../secrets/postgres-secret.ts'
import { SecretError } from '../secrets/secrets.ts'
import { createPostgresSessions, readContextId } from '../sessions/postgres/postgres-sessions.ts'
import { onPostgres } from '../sql/sql.ts'
import type { OpenStoresOptions, Stores } from './stores.ts'

/** Opens the stores in a database that gates share. Throws `DatabaseError` when it cannot be used as it is, `SecretError` for another's. */
export async function openPostgresStores(
  url: string,
  {
    databaseListenUrl: listenUrl = null,
    context,
    folder,
    secrets,
    onProblem,
    onLost,
    now,
  }: OpenStoresOptions,
): Promise<Stores> {
  const database = await openDatabase({ url, listenUrl, isOperator: context === null, onProblem })
  try {
    const newer = await assertMigrated(database)
    if (newer !== null) onProblem(newer)
    const id = context === null ? null : await readContextId(database, context)
    const secret = secrets === null ? null : await openPostgresSecret(database, id, secrets)
    const { recent, ...sessions } = createPostgresSessions(database, id, onLost)
    // Anybody may ask: whoever is refused here costs the database nothing.
    const ownRegistrations = createRateLimit({ ...REGISTRATION_LIMIT, now })
    const registrations = createPostgresRateLimit(database, `registration ${id}`, REGISTRATION_LIMIT)
    const sql = onPostgres(database)
    const { visits, notices, readership, ...acknowledgements } = createReaderRecords(sql)
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
      publishers: createPublisherStore(sql, {
        prefix: 'publisher ',
        noteSpent: (spent) => recent.noteSpent(spent, null),
      }),
      ...{ acknowledgements, visits, notices, readership },
      searchLog: createPostgresSearchLog(database, id),
      accountLimit: createPostgresRateLimit(database, `sign-in ${id}`, ACCOUNT_LIMIT),
      agreeOnSecret: async () => (secret === null ? 'current' : secret.agree()),
      openAuditKey: async (own) => (await openPostgresSecret(database, null, own)).auditKey,
      registrationLimit: { take: (key) => ownRegistrations.take(key) || registrations.take(key) },
      answerTokens: createPostgresDailySum(database, `answers ${id}`),
      async openTrail(trail) {
        if (secret === null) throw new Error('a trail is opened by a gate, which has secrets')
        const chain = readGateChain(join(folder.root, 'gate-id'))
        const store = await openPostgresAudit(database, chain, { mayRemove: false })
        return openAuditTrail({ ...trail, chain, store, key: secret.auditKey })
      },
      openOperatorChain: () => openPostgresAudit(database, OPERATOR_CHAIN, { mayRemove: false }),
      audit: readPostgresAudit(database),
      usage: async () => ({
        trailBytes: await measurePostgresAudit(database),
        connections: database.connections(),
      }),
      trim: createPostgresTrim(database),
      async [Symbol.asyncDispose]() {
        await sessions.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    if (error instanceof DatabaseError || error instanceof SecretError || !(error instanceof Error))
      throw error
    throw new DatabaseError(error.message, { cause: error })
  }
}
