import { HOST_INDEPENDENT_TARGETS } from '@sekisho/contract/routes'
import type { ReleaseStatus } from '@sekisho/release'
import { openStores } from '@sekisho/state'
import type { AuditFields } from '@sekisho/state/audit'
import { dataFolderAt, lockDataFolder, makeDataFolder, readLocalSecret } from '@sekisho/state/data-folder'
import { openDailyLog } from '@sekisho/state/lines'
import { createFeedbackFiles } from '@sekisho/state/opinions'
import { openQueryLog } from '@sekisho/state/search-log'
import type { SessionContext } from '@sekisho/state/sessions'
import { createSeal, createSessions } from '@sekisho/state/sessions'
import { createNodeServer } from '@sekisho/wire'
import type { AccessPolicy } from './access/policy.ts'
import { digestOfPolicy, fixedPolicy, type PolicySource, policyFile } from './access/policy-source.ts'
import type { GateConfig } from './config/read-config.ts'
import { refuseRisks } from './config/risky-settings.ts'
import { startMetricsServer } from './doors/health/metrics-server.ts'
import { createHandOverRoutes } from './doors/previews/hand-over.ts'
import { createTickets } from './doors/previews/tickets.ts'
import { openPublishing } from './doors/publishing/open-publishing.ts'
import { createSearchRoutes, warmSearch } from './doors/search/search-api.ts'
import { createSearchRunner } from './doors/search/search-runner.ts'
import { readLoginBundle } from './doors/sign-in/login-bundle.ts'
import { createLoginPage } from './doors/sign-in/login-page.ts'
import { withClientAddress } from './frame/client-address.ts'
import { createObserver } from './frame/observer.ts'
import { createSessionCookies } from './frame/session-cookies.ts'
import { createRefusalLog, createRefusalResponse } from './frame/wire-refusals.ts'
import { noteAuditHead, startMaintenance } from './maintenance.ts'
import { readHealth } from './observability/health.ts'
import { createLog, describeError } from './observability/log.ts'
import type { LogOutput } from './observability/log-output.ts'
import { createMetrics } from './observability/metrics.ts'
import { sumRefusals } from './observability/refusal-sums.ts'
import { createStoreState, watchStore } from './observability/store-watch.ts'
import { openPreviews } from './open-previews.ts'
import { createPortalGate } from './portal-gate.ts'
import { createContentPolicy } from './releases/content-policy.ts'
import { followStore } from './releases/follow-store.ts'
import { openReleases } from './releases/open-releases.ts'

export interface RunningGate {
  readonly origin: URL
  /** Where it listens, which need not be the origin's port. */
  readonly port: number
  readonly release: ReleaseStatus
  readonly metricsPort: number | null
  /** Drains, writes what is pending and lets go of everything. */
  close(): Promise<void>
}

const DRAIN_MS = 10_000
/** How often parts of releases that nobody came back for are looked for. */
const TIDY_UPLOADS_MS = 3_600_000

/** What sessions of a gate belong to: one made on a developer's machine, for another project or origin counts for nobody here. */
export function sessionContextOf({ identity }: GateConfig, { origin }: URL): SessionContext {
  return { ...identity.owner, origin }
}

/** Which policy is in force; a file that cannot be read is none, and admits nobody. */
function describePolicy(policy: PolicySource): AuditFields {
  try {
    const { domains, emails } = policy()
    return { domains: [...domains], addresses: emails.size, policy: digestOfPolicy(policy()) }
  } catch {
    return { policy: null }
  }
}

/** Starts the gate as configured: opens what it needs, listens first so that a taken port is said at once. */
export async function startGate(config: GateConfig, output: LogOutput): Promise<RunningGate> {
  const now = Date.now
  const log = createLog({ level: config.logLevel, write: output.write, now })
  for (const { code, problem, isAccepted } of config.risks)
    log('error', 'risky_setting', { code, problem, isAccepted })
  refuseRisks(config)
  await using cleanup = new AsyncDisposableStack()

  const folder = dataFolderAt(config.dataDir)
  makeDataFolder(folder)
  cleanup.use(lockDataFolder(folder))
  const onSocketProblem = (error: unknown) =>
    log('debug', 'connection_failed', { error: describeError(error) })
  const oldestProofMs = () => Math.max(0, now() - (sessions.oldestProofAtMs() ?? now()))
  const readings = () =>
    readHealth({
      audit: trail.health,
      auditFailures,
      store: storeState.state,
      log: output,
      release: releases.status,
      oldestProofMs,
      ...config.sessions,
      now,
    })
  /** A release that was published while nobody reads is noticed by whoever probes. */
  const health = async () => {
    await releases.manifest()
    return readings().health
  }
  const metrics = createMetrics({
    sessions: () => sessions.size,
    oldestProofSeconds: () => oldestProofMs() / 1_000,
    parts: readings,
  })
  const observer = createObserver(log, metrics)
  cleanup.defer(() => observer.flush())
  const refusals = createRefusalLog(log)
  cleanup.defer(() => refusals.flush())
  const server = createNodeServer({
    refusalResponse: createRefusalResponse({ local: config.mode === 'local' }),
    idleTimeoutMs: config.keepAliveMs,
    onProblem: onSocketProblem,
    onRefused(refusal, client) {
      metrics.countRefused(refusal.status)
      refusals.note(refusal, client)
    },
  })
  const port = await server.listen(config.listen.port, config.listen.host)
  cleanup.defer(() => server.close(0)) // for a failure below; once running, the drain further down comes first
  const origin = config.origin ?? new URL(`http://localhost:${port}`)

  let auditFailures = 0
  const onAuditFailure = (error: unknown) => {
    auditFailures += 1
    log('error', 'audit_failed', { error: describeError(error) })
  }
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
  const trail = await stores.openTrail({
    now,
    onFailure: onAuditFailure,
    onRecord: metrics.countEvent,
  })
  const { audit, flush: sumUpRefused } = sumRefusals(trail, onAuditFailure)
  cleanup.defer(async () => {
    sumUpRefused()
    await trail.close()
    noteAuditHead({ audit, log })
  })
  const storeState = createStoreState(() => performance.now())
  const onStoreCall = (durationMs: number, error: unknown) => {
    metrics.observeStoreCall(durationMs, error !== undefined)
    storeState.note(error)
  }
  const store = watchStore(stores.sessions, onStoreCall)
  const seal = createSeal(config.secret ?? readLocalSecret(folder))
  const sessions = createSessions({ store, seal, limits: config.sessions, now })

  const onWarning = (message: string) => log('warn', 'local_identity', { message })
  const opening = { origin, accountsFile: folder.localAccounts, onWarning, now }
  const providers = await Promise.all(config.identity.providers.map((one) => one.open(opening)))
  for (const problem of config.identity.problems) log('error', 'identity_not_configured', { problem })

  const bundle = await readLoginBundle()
  const onProblem = (reason: string) => log('error', 'release_refused', { reason })
  const copies =
    config.releases === null
      ? null
      : cleanup.use(await followStore({ place: config.releases, folder, log, metrics }))
  const releases = await openReleases({ releasesDir: folder.releases, onProblem, ...copies })
  const runner = cleanup.adopt(createSearchRunner(), (started) => started.close())
  const onLogFailure = (error: unknown) => log('error', 'search_log_failed', { error: describeError(error) })
  const queryLog = openQueryLog({
    store: stores.searchLog,
    days: config.searchLogDays,
    now,
    onFailure: onLogFailure,
  })
  cleanup.defer(() => queryLog.flush())
  const feedbackLog = openDailyLog({
    store: createFeedbackFiles(folder.feedback),
    days: config.feedbackDays,
    now,
    onFailure: (error) => log('error', 'feedback_log_failed', { error: describeError(error) }),
  })
  cleanup.defer(() => feedbackLog.flush())
  const publishing = openPublishing({
    ...{ config, folder, origin, stores, releases, copies, audit, now },
    refreshPreview: (name) => previews.refresh(name),
  })
  const search = createSearchRoutes({ origin, releases, runner, log: queryLog, audit, now })
  const onPolicy = (changed: AccessPolicy) =>
    audit.record(
      'policy_changed',
      describePolicy(() => changed),
    )
  const policy =
    'file' in config.access ? policyFile(config.access.file, onPolicy) : fixedPolicy(config.access.policy)
  const maxAgeSeconds = Math.floor(config.sessions.absoluteMs / 1_000)
  const cookies = createSessionCookies(origin, maxAgeSeconds)
  const shared = {
    placeOf: config.placeOf,
    contentPolicy: createContentPolicy(config.grants),
    policy,
    sessions,
    audit,
    health: async () => (await health()).status,
    observe: observer.observe,
    now,
  }
  const tickets = createTickets({ seal, now })
  const previews = cleanup.use(
    await openPreviews({
      place: config.releases,
      folder,
      log,
      trustedProxies: config.trustedProxies,
      shared: { ...shared, portal: origin, tickets, maxAgeSeconds },
    }),
  )
  const handOver = createHandOverRoutes({ origin, cookies, tickets, findPreview: previews.find, releases })
  const gate = createPortalGate({
    ...shared,
    origin,
    loginPage: createLoginPage({
      lang: config.loginLanguage,
      localeOf: releases.localeOf,
      site: config.site,
      origin,
      providers: providers.length > 0 ? providers.map(({ login }) => login) : config.identity.broken,
      bundle,
    }),
    loginBundle: bundle,
    providers,
    cookies,
    releases,
    accountLimit: stores.accountLimit,
    feedbackLog,
    doors: [search, publishing.routes, handOver],
  })

  const { reproofIntervalMs } = config.sessions
  const stop = startMaintenance({
    sessions,
    store,
    publishers: stores.publishers,
    identity: providers[0] ?? null,
    reproofIntervalMs,
    audit,
    log,
    metrics,
    auditKeepMs: config.auditKeepMs,
    now,
  })
  cleanup.defer(() => stop())
  await sessions.tidy()
  const metricsServer =
    config.metricsPort === null ? null : await startMetricsServer(metrics, health, config.metricsPort)
  cleanup.defer(() => metricsServer?.close())
  cleanup.defer(() => server.close(DRAIN_MS))
  noteAuditHead({ audit, log }) // as it was found
  await audit.recordDurably('gate_started', {
    origin: origin.origin,
    mode: config.mode,
    ...describePolicy(policy),
  })
  const handle = withClientAddress(gate, config.trustedProxies)
  const { maxBodyBytes } = publishing
  server.attach(
    { origin, hostIndependentTargets: HOST_INDEPENDENT_TARGETS, maxBodyBytes, handle },
    previews.findService,
  )
  void warmSearch(releases, runner)
  const tidy = () =>
    publishing.tidy().catch((error) => log('warn', 'publishing_failed', { error: describeError(error) }))
  const tidying = setInterval(tidy, TIDY_UPLOADS_MS).unref()
  cleanup.defer(() => clearInterval(tidying))

  const resources = cleanup.move()
  return {
    origin,
    port,
    release: releases.status(),
    metricsPort: metricsServer?.port ?? null,
    close: () => resources.disposeAsync(),
  }
}
