import { openAuditKey } from '../../audit/chain/audit-key.ts'
import { openAuditFolder } from '../../audit/files/audit-folder.ts'
import { measureAuditFolder, readAuditFolder } from '../../audit/files/audit-source.ts'
import { openFolderTrail } from '../../audit/folder-trail.ts'
import { OPERATOR_CHAIN } from '../../audit/operator-acts.ts'
import type { DataFolder } from '../../storage/data-folder.ts'
import {
  openSqliteAcknowledgements,
  openSqliteAcknowledgementsInThread,
} from '../acknowledgements/sqlite-acknowledgement-store.ts'
import { ACCOUNT_LIMIT, createRateLimit, REGISTRATION_LIMIT } from '../limits/rate-limit.ts'
import { openSqlitePublishers, openSqlitePublishersInThread } from '../publishers/sqlite-publisher-store.ts'
import { createFileSearchLog } from '../search-log/file-search-log.ts'
import { openSqliteSecret } from '../secrets/sqlite-secret.ts'
import type { SessionContext } from '../sessions/rows/session-store.ts'
import { openSqliteSessions } from '../sessions/sqlite/sqlite-sessions.ts'
import { openSqliteSessionsInThreads } from '../sessions/sqlite/sqlite-threads.ts'
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
  const { sessions, publishers } =
    context === null ? openForCommand(folder) : await openForGate(folder, context, options)
  const acknowledgements =
    context === null
      ? openSqliteAcknowledgements(folder.acknowledgements)
      : openSqliteAcknowledgementsInThread(folder.acknowledgements, options)
  return {
    sessions,
    publishers,
    acknowledgements,
    visits: acknowledgements.visits,
    notices: acknowledgements.notices,
    readership: acknowledgements.readership,
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

function openForCommand(folder: DataFolder): Files {
  const options = { context: null, lockTimeoutMs: OPERATOR_LOCK_TIMEOUT_MS }
  return {
    sessions: openSqliteSessions(folder.sessions, options),
    publishers: openSqlitePublishers(folder.publishers),
  }
}

/** In threads: no reader waits for a disk. */
async function openForGate(
  folder: DataFolder,
  context: SessionContext,
  { onProblem }: Pick<OpenStoresOptions, 'onProblem'>,
): Promise<Files> {
  const sessions = await openSqliteSessionsInThreads(folder.sessions, { context, onProblem })
  try {
    return { sessions, publishers: await openSqlitePublishersInThread(folder.publishers, { onProblem }) }
  } catch (error) {
    await sessions.close()
    throw error
  }
}

type Files = Pick<Stores, 'sessions' | 'publishers'>
