import { openStores, type Stores } from '@sekisho/state'
import { type DataFolder, readLocalSecret } from '@sekisho/state/data-folder'
import { openDailyLog } from '@sekisho/state/lines'
import { createFeedbackFiles } from '@sekisho/state/opinions'
import { openQueryLog } from '@sekisho/state/search-log'
import { createSeal, createSessions, type SessionContext } from '@sekisho/state/sessions'
import type { GateConfig } from './config/gate-config.ts'
import { noteAuditHead } from './maintenance.ts'
import type { HealthSources } from './observability/health.ts'
import { describeError, type Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import { sumRefusals } from './observability/refusal-sums.ts'
import { createStoreState, watchStore } from './observability/store-watch.ts'

export interface OpenStateOptions {
  readonly config: GateConfig
  readonly folder: DataFolder
  readonly origin: URL
  readonly log: Log
  readonly metrics: Metrics
  readonly now: () => number
}

/** Opens everything that the gate remembers, and watches it: what it counts is in the metrics, what fails in the log. */
export async function openState(options: OpenStateOptions) {
  const { config, folder, origin, log, metrics, now } = options
  await using cleanup = new AsyncDisposableStack()
  const stores = cleanup.use(
    await openStores({
      databaseUrl: config.databaseUrl,
      folder,
      secret: config.secret,
      context: sessionContextOf(config, origin),
      onProblem: (problem) => log('warn', 'database', { problem }),
      now,
    }),
  )
  const { audit, health, failures } = cleanup.use(await openAudit(stores, options))

  const storeState = createStoreState(() => performance.now())
  const store = watchStore(stores.sessions, (durationMs, error) => {
    metrics.observeStoreCall(durationMs, error !== undefined)
    storeState.note(error)
  })
  const seal = createSeal(config.secret ?? readLocalSecret(folder))
  const sessions = createSessions({ store, seal, limits: config.sessions, now })
  const sources = {
    audit: health,
    auditFailures: failures,
    store: storeState.state,
    sessions: () => sessions.size,
    oldestProofMs: () => Math.max(0, now() - (sessions.oldestProofAtMs() ?? now())),
  } satisfies Partial<HealthSources>

  const { queryLog, feedbackLog } = cleanup.use(openReaderLogs(stores, options))
  const { publishers, accountLimit } = stores
  const resources = cleanup.move()
  return {
    ...{ audit, seal, sessions, store, sources },
    ...{ publishers, accountLimit, queryLog, feedbackLog },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** What sessions of a gate belong to: one made on a developer's machine, for another project or origin counts for nobody here. */
export function sessionContextOf({ identity }: GateConfig, { origin }: URL): SessionContext {
  return { ...identity.owner, origin }
}

async function openAudit({ openTrail }: Stores, { log, metrics, now }: OpenStateOptions) {
  let failures = 0
  const onFailure = (error: unknown) => {
    failures += 1
    log('error', 'audit_failed', { error: describeError(error) })
  }
  const trail = await openTrail({ now, onFailure, onRecord: metrics.countEvent })
  const { audit, flush } = sumRefusals(trail, onFailure)
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

/** What readers looked for and thought of pages, without their names. */
function openReaderLogs(stores: Stores, { config, folder, log, now }: OpenStateOptions) {
  const queryLog = openQueryLog({
    store: stores.searchLog,
    days: config.searchLogDays,
    now,
    onFailure: (error) => log('error', 'search_log_failed', { error: describeError(error) }),
  })
  const feedbackLog = openDailyLog({
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
