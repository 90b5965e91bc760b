import { type AuditTrail, createQueryDigest } from './audit/index.ts'
import type { GateConfig } from './config/gate-config.ts'
import { noteAuditHead } from './jobs/maintenance.ts'
import type { HealthSources } from './kernel/monitoring/health.ts'
import { describeError, type Log } from './kernel/monitoring/log.ts'
import type { Metrics } from './kernel/monitoring/metrics.ts'
import { boundTrail } from './kernel/monitoring/refusal-sums.ts'
import { createStoreState, watchStore } from './kernel/monitoring/store-watch.ts'
import { createFeedbackFiles, type FeedbackLog, openFeedbackLog } from './state/feedback/index.ts'
import { createGrants, type Grants } from './state/grants/index.ts'
import { openQueryLog, type QueryLog } from './state/search-log/index.ts'
import {
  type ChangingSeal,
  createChangingSeal,
  createSessions,
  type SessionContext,
  type SessionStore,
  type Sessions,
  startPulse,
} from './state/sessions/index.ts'
import { openStores, type Stores } from './state/stores/open-stores.ts'
import { type DataFolder, readLocalSecret } from './storage/data-folder.ts'

/** Advice on settings that only the operator remembers. */
const REPEAT =
  'the database lost its last seconds and gates made good what they remember; repeat what you did in that time with sekisho sessions, tokens and access (the run-book says how)'

/** Settings, clock and outputs of a gate. */
export interface Common {
  readonly config: GateConfig
  readonly folder: DataFolder
  readonly origin: URL
  readonly log: Log
  readonly metrics: Metrics
  readonly now: () => number
}

/** Everything that the gate remembers. */
export interface State extends Omit<Stores, 'sessions' | 'audit'> {
  readonly audit: AuditTrail
  readonly sessions: Sessions
  /** Rows of sessions, as they are stored. */
  readonly store: SessionStore
  readonly grants: Grants
  readonly seal: ChangingSeal
  readonly queryLog: QueryLog
  readonly feedbackLog: FeedbackLog
  /** Digest of a query, the same in the trail and the logs. */
  readonly digest: (text: string) => string
  readonly sources: Pick<HealthSources, 'audit' | 'auditFailures' | 'store' | 'sessions' | 'oldestProofMs'>
}

/** Opens everything that the gate remembers, and watches it: what it counts is in the metrics, what fails in the log. */
export async function openState(options: Common): Promise<State> {
  const { config, folder, origin, log, metrics, now } = options
  await using cleanup = new AsyncDisposableStack()
  const secrets = { current: config.secret ?? readLocalSecret(folder), previous: config.previousSecret }
  const stores = cleanup.use(
    await openStores({
      databaseUrl: config.databaseUrl,
      databaseListenUrl: config.databaseListenUrl,
      folder,
      secrets,
      context: sessionContextOf(config, origin),
      onProblem: (problem) => log('warn', 'database', { problem }),
      onLost({ ends, signIns }) {
        metrics.countEvent('database_lost_writes')
        log('error', 'database_lost_writes', {
          sessionsEndedAgain: ends,
          signInsLost: signIns,
          advice: REPEAT,
        })
      },
      now,
    }),
  )
  const { audit, health, failures } = cleanup.use(await openAudit(stores, options))

  const storeState = createStoreState(() => performance.now())
  const store = watchStore(stores.sessions, (durationMs, error) => {
    metrics.observeStoreCall(durationMs, error !== undefined)
    storeState.note(error)
  })
  const seal = createChangingSeal(secrets)
  seal.use(await stores.agreeOnSecret())
  const { isBehind } = cleanup.use(startPulse())
  const sessions = createSessions({ store, seal, limits: config.sessions, now, isBehind })
  const grants = createGrants({ store: store.grants, seal, now })
  const sources: State['sources'] = {
    audit: health,
    auditFailures: failures,
    store: storeState.state,
    sessions: () => sessions.size,
    oldestProofMs: () => Math.max(0, now() - (sessions.oldestProofAtMs() ?? now())),
  }

  const digest = createQueryDigest(secrets.current)
  const { queryLog, feedbackLog } = cleanup.use(openReaderLogs(stores, { ...options, digest }))
  const resources = cleanup.move()
  return {
    ...stores,
    audit,
    seal,
    sessions,
    grants,
    store,
    sources,
    queryLog,
    feedbackLog,
    digest,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Context of a gate's sessions: those of a local machine, another project or origin are invalid here. */
export function sessionContextOf({ identity }: GateConfig, { origin }: URL): SessionContext {
  return { ...identity.owner, origin }
}

async function openAudit({ openTrail }: Stores, { log, metrics, now }: Common) {
  let failures = 0
  const onFailure = (error: unknown) => {
    failures += 1
    log('error', 'audit_failed', { error: describeError(error) })
  }
  const onRestored = (lines: { readonly from: number; readonly through: number }) =>
    log('error', 'audit_lines_lost', { ...lines, advice: REPEAT })
  const trail = await openTrail({ now, onFailure, onRestored, onRecord: metrics.countEvent })
  const { audit, flush } = boundTrail({ trail, now, onFailure, onRefused: metrics.countRefusal })
  return {
    audit,
    health: trail.health,
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      flush()
      await trail.close()
      noteAuditHead({ audit, log })
    },
  }
}

/** Logs of searches and feedback, without readers' names. */
function openReaderLogs(
  stores: Stores,
  { config, folder, log, now, digest }: Common & { digest: (text: string) => string },
) {
  const queryLog = openQueryLog({
    store: stores.searchLog,
    digest,
    days: config.searchLogDays,
    now,
    onFailure: (error) => log('error', 'search_log_failed', { error: describeError(error) }),
  })
  const feedbackLog = openFeedbackLog({
    store: createFeedbackFiles(folder.feedback),
    days: config.feedbackDays,
    now,
    onFailure: (error) => log('error', 'feedback_log_failed', { error: describeError(error) }),
  })
  return {
    queryLog,
    feedbackLog,
    async [Symbol.asyncDispose]() {
      await feedbackLog.flush()
      await queryLog.flush()
    },
  }
}
