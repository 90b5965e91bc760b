import { openAuditKey } from '../../audit/chain/audit-key.ts'
import { openAuditFolder } from '../../audit/files/audit-folder.ts'
import { measureAuditFolder, readAuditFolder } from '../../audit/files/audit-source.ts'
import { openFolderTrail } from '../../audit/folder-trail.ts'
import { OPERATOR_CHAIN } from '../../audit/operator-acts.ts'
import { createReaderRecords } from '../acknowledgements/reader-records.ts'
import { ACCOUNT_LIMIT, createRateLimit, REGISTRATION_LIMIT } from '../limits/rate-limit.ts'
import { createPublisherStore } from '../publishers/publisher-store.ts'
import { createFileSearchLog } from '../search-log/file-search-log.ts'
import { openSqliteSecret } from '../secrets/sqlite-secret.ts'
import { openSqliteSessions } from '../sessions/sqlite/sqlite-sessions.ts'
import { openSqliteSessionsInThreads } from '../sessions/sqlite/sqlite-threads.ts'
import { openSqlite, openSqliteInThread, type SqlFile } from '../sql/sqlite.ts'
import type { OpenStoresOptions, Stores, StoreUsage } from './stores.ts'

export type { Stores, StoreUsage }

/** A command waits behind a gate on a slow disk. */
const OPERATOR_LOCK_TIMEOUT_MS = 60_000

/** Opens the stores that the settings name. Throws `DatabaseError` for a database that cannot be used as it is, `SecretError` for another's. */
export async function openStores(options: OpenStoresOptions): Promise<Stores> {
  const { databaseUrl, folder, context, secrets, now } = options
  if (databaseUrl !== null) {
    const { openPostgresStores } = await import('./postgres-stores.ts') // its client is read by those who have a database
    return openPostgresStores(databaseUrl, options)
  }
  const secret =
    context === null || secrets === null ? null : openSqliteSecret(folder.sessions, context, secrets)
  // In threads: no reader waits for a disk.
  const open = (place: SqlFile) => (context === null ? openSqlite(place) : openSqliteInThread(place, options))
  const sql = open({ kind: 'publishers', file: folder.publishers })
  if (context !== null) await sql.query('SELECT 1') // a gate does not start on a file that is no database of ours
  const publishers = createPublisherStore(sql)
  const sessions =
    context === null
      ? openSqliteSessions(folder.sessions, { context, lockTimeoutMs: OPERATOR_LOCK_TIMEOUT_MS })
      : await openSqliteSessionsInThreads(folder.sessions, { context, onProblem: options.onProblem })
  const { visits, notices, readership, ...acknowledgements } = createReaderRecords(
    open({ kind: 'acknowledgements', file: folder.acknowledgements }),
  )
  return {
    sessions,
    publishers,
    acknowledgements,
    visits,
    notices,
    readership,
    searchLog: createFileSearchLog(folder.searchLog),
    accountLimit: createRateLimit({ ...ACCOUNT_LIMIT, now }),
    agreeOnSecret: async () => (secret === null ? 'current' : secret.agree()),
    openAuditKey: async () => openAuditKey(folder.auditKey),
    registrationLimit: createRateLimit({ ...REGISTRATION_LIMIT, now }),
    answerTokens: null,
    openTrail: (trail) => openFolderTrail(folder, trail),
    openOperatorChain: async () => openAuditFolder({ places: folder.audit, chain: OPERATOR_CHAIN, now }),
    audit: readAuditFolder(folder.audit),
    usage: async () => ({ trailBytes: await measureAuditFolder(folder.audit), connections: null }),
    trim: null,
    async [Symbol.asyncDispose]() {
      await sessions.close()
      await publishers.close()
      await acknowledgements.close()
    },
  }
}
