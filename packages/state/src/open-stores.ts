import { join } from 'node:path'
import { openAuditFolder } from './audit/audit-folder.ts'
import { deriveAuditKey } from './audit/audit-key.ts'
import { readAuditFolder } from './audit/audit-source.ts'
import type { AuditSource, AuditStore } from './audit/audit-store.ts'
import { type AuditOptions, type AuditTrail, openAuditTrail } from './audit/audit-trail.ts'
import { openFolderTrail } from './audit/folder-trail.ts'
import { OPERATOR_CHAIN } from './audit/operator-acts.ts'
import { openPostgresAudit, readGateChain, readPostgresAudit } from './audit/postgres-audit.ts'
import { type DataFolder, readLocalSecret } from './data-folder.ts'
import { DatabaseError, openDatabase } from './database/database.ts'
import { assertMigrated } from './database/migrate.ts'
import { createPostgresRateLimit, forgetFullBuckets } from './limits/postgres-rate-limit.ts'
import { ACCOUNT_LIMIT, createRateLimit, type RateLimit } from './limits/rate-limit.ts'
import { createPostgresPublishers } from './publishers/postgres-publisher-store.ts'
import type { PublisherStore } from './publishers/publisher-store.ts'
import { openSqlitePublishers } from './publishers/sqlite-publisher-store.ts'
import { createFileSearchLog } from './search-log/file-search-log.ts'
import { createPostgresSearchLog } from './search-log/postgres-search-log.ts'
import type { SearchLogStore } from './search-log/search-log-store.ts'
import { createPostgresSessions, readContextId } from './sessions/postgres-session-store.ts'
import type { SessionContext, SessionStore } from './sessions/session-store.ts'
import { openSqliteSessions } from './sessions/sqlite-session-store.ts'

/** Where a gate keeps its state: files of this machine, or a database that gates share. */
export interface Stores extends AsyncDisposable {
  readonly sessions: SessionStore
  readonly searchLog: SearchLogStore
  readonly publishers: PublisherStore
  readonly accountLimit: RateLimit
  /** Opens the chain of this gate; the trail is closed before the stores are. */
  openTrail(options: Omit<AuditOptions, 'chain' | 'store' | 'key'>): Promise<AuditTrail>
  /** Opens the chain of operators' acts; of a data folder `recordOperatorAct` does. */
  openOperatorChain(): Promise<AuditStore>
  /** Every chain of the trail. */
  readonly audit: AuditSource
}

export interface OpenStoresOptions {
  /** PostgreSQL that gates share; null keeps state in files of this machine. */
  readonly databaseUrl: string | null
  readonly folder: DataFolder
  /** Null where no trail is opened, or for one that is made and kept in the folder. */
  readonly secret: string | null
  /** Null for an operator's command, which sees what belongs to any gate. */
  readonly context: SessionContext | null
  readonly onProblem: (problem: string) => void
  readonly now: () => number
}

/** Opens the stores that the settings name. Throws `DatabaseError` for a database that cannot be used as it is. */
export async function openStores(options: OpenStoresOptions): Promise<Stores> {
  const { databaseUrl, folder, context, now } = options
  if (databaseUrl !== null) return openPostgresStores(databaseUrl, options)
  const sessions = openSqliteSessions(folder.sessions, { context })
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

async function openPostgresStores(
  url: string,
  { context, folder, secret, onProblem }: OpenStoresOptions,
): Promise<Stores> {
  const database = await openDatabase({ url, onProblem })
  try {
    await assertMigrated(database)
    const id = context === null ? null : await readContextId(database, context)
    const sessions = createPostgresSessions(database, id)
    return {
      sessions: {
        ...sessions,
        async forgetSpent(beforeMs) {
          await sessions.forgetSpent(beforeMs)
          await forgetFullBuckets(database)
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
