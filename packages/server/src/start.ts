import { HOST_INDEPENDENT_TARGETS } from '@sekisho/contract/routes'
import type { ReleaseStatus } from '@sekisho/release'
import { createEditionRecorder } from './access/choose-edition.ts'
import type { FollowedFile } from './access/followed-file.ts'
import { describePolicy, forIssuers, openPolicy, recordRules } from './access/policy-source.ts'
import { isPreviewReader } from './access/preview-policy.ts'
import { createRecipients } from './access/recipients.ts'
import { createAgentRoutes } from './agents/mcp/mcp.ts'
import { createAgentsSignInRoutes } from './agents/sign-in/agents-sign-in.ts'
import type { GateConfig } from './config/gate-config.ts'
import { type PublishRule, publishRulesFile } from './config/publish-rules.ts'
import { refuseRisks } from './config/risky-settings.ts'
import { createOwnAgents } from './endpoints/account/own-agents.ts'
import { createAnswerRoutes } from './endpoints/answers/answer-routes.ts'
import { createAnswerService } from './endpoints/answers/answer-service.ts'
import { createReleaseChanges } from './endpoints/changes/release-changes.ts'
import { createWhatsNew } from './endpoints/changes/whats-new.ts'
import { startMetricsServer } from './endpoints/health/metrics-server.ts'
import { createWatches } from './endpoints/notices/watches.ts'
import { createOwnedPages } from './endpoints/owned/owned-pages.ts'
import { createHandOverRoutes } from './endpoints/previews/hand-over.ts'
import { createPreviewTickets } from './endpoints/previews/tickets.ts'
import { openPublishing } from './endpoints/publishing/open-publishing.ts'
import { createReaderCounts } from './endpoints/reading/reader-counts.ts'
import { createFairSearches } from './endpoints/search/fair-searches.ts'
import { createIndexInspector } from './endpoints/search/index-inspector.ts'
import { createSearchRoutes, warmSearch } from './endpoints/search/search-api.ts'
import { createSearchRunner } from './endpoints/search/search-runner.ts'
import { readLoginBundle } from './endpoints/sign-in/login-bundle.ts'
import { createLoginPage } from './endpoints/sign-in/login-page.ts'
import { createRevalidator } from './identity/revalidation.ts'
import { closeInTime, divideClosing } from './jobs/closing.ts'
import { noteAuditHead, startMaintenance } from './jobs/maintenance.ts'
import { createNotices } from './jobs/notices/notices.ts'
import { withClientAddress } from './kernel/client/client-address.ts'
import { createSessionCookies } from './kernel/client/session-cookies.ts'
import { readHealth } from './kernel/monitoring/health.ts'
import { createLog, describeError, type Log } from './kernel/monitoring/log.ts'
import type { LogOutput } from './kernel/monitoring/log-output.ts'
import { watchResources } from './kernel/monitoring/measures/resources.ts'
import { createMetrics } from './kernel/monitoring/metrics.ts'
import { watchSignIns } from './kernel/monitoring/sign-in-watch.ts'
import { createObserver } from './kernel/observer.ts'
import { createStatuses } from './kernel/page-status.ts'
import { openPreviews } from './open-previews.ts'
import { openServer } from './open-server.ts'
import { openState } from './open-state.ts'
import { createPortalGate } from './portal-gate.ts'
import { createContentPolicy } from './releases/content-policy.ts'
import { followStore } from './releases/follow-store.ts'
import { openReleases } from './releases/open-releases.ts'
import { createFindGaps } from './releases/search-gaps.ts'
import { finishRestore } from './state/backup/index.ts'
import { createFeedbackFiles } from './state/feedback/index.ts'
import { type DataFolder, dataFolderAt, lockDataFolder, makeDataFolder } from './storage/data-folder.ts'

/** The release that is served, and the one before it for tabs that were opened then. */
const SEARCHED_RELEASES = 2

export interface RunningGate {
  readonly origin: URL
  /** Port to listen on, which need not be the origin's. */
  readonly port: number
  readonly release: ReleaseStatus
  readonly metricsPort: number | null
  /**
   * Drains, writes what is pending and lets go of everything; does not wait for readers once `hurry` is aborted. Resolves to whether it
   * could, as `closeInTime` says.
   */
  close(hurry?: AbortSignal): Promise<boolean>
}

/** Starts the gate as configured: services first, then the endpoints, then whatever runs beside the requests; then it answers. */
export async function startGate(config: GateConfig, output: LogOutput): Promise<RunningGate> {
  await using cleanup = new AsyncDisposableStack()
  const services = await openServices(config, output, cleanup)
  const { gate, previews, publishing, notices, readers } = await openEndpoints(services, cleanup)
  if (readers !== null) cleanup.defer(() => readers.write().catch(() => {})) // a minute of counts at most
  if (notices !== null) cleanup.defer(notices.close)
  const metricsServer = await startJobs(
    services,
    { ...publishing, sendNotices: notices?.run ?? null, writeReaders: readers?.write ?? null },
    cleanup,
  )

  const { server, port, origin, releases, runner, audit, policy } = services
  const { drainMs, closeMs } = divideClosing(config.stopWithinMs)
  cleanup.defer(() => server.close(drainMs))
  noteAuditHead(services) // as it was found
  const { mode } = config
  recordRules(policy, audit)
  await audit.recordDurably('gate_started', { origin: origin.origin, mode, ...describePolicy(policy) })
  const handle = withClientAddress(gate, config.trustedProxies)
  const { maxBodyBytes } = publishing
  const service = { origin, hostIndependentTargets: HOST_INDEPENDENT_TARGETS, maxBodyBytes, handle }
  server.attach(service, previews.findService)
  void warmSearch(releases, runner)

  const resources = cleanup.move()
  const drop = () => void server.close(0)
  return {
    origin,
    port,
    release: releases.status(),
    metricsPort: metricsServer?.port ?? null,
    close: (hurry) => closeInTime(() => resources.disposeAsync(), { ...services, drop, hurry, closeMs }),
  }
}

/** Opens whatever endpoints have in common. The port comes first, so that one that is taken is said at once. */
async function openServices(config: GateConfig, output: LogOutput, cleanup: AsyncDisposableStack) {
  const now = Date.now
  const log = createLog({ level: config.logLevel, write: output.write, now })
  refuseRisks(config, log)
  for (const warning of config.renamed) log('warn', 'setting_renamed', { problem: String(warning) })
  const metrics = createMetrics()
  const folder = await openDataFolder(config.dataDir, log, cleanup)
  const observer = cleanup.adopt(createObserver(log, metrics), ({ flush }) => flush())
  const { server, port, origin } = cleanup.use(await openServer({ config, log, metrics }))
  const common = { config, folder, origin, log, metrics, now }

  const state = cleanup.use(await openState(common))
  const onWarning = (message: string) => log('warn', 'local_identity', { message })
  const opening = { origin, accountsFile: folder.localAccounts, onWarning, seal: state.seal, now }
  const providers = await Promise.all(config.identity.providers.map((one) => one.open(opening)))
  for (const problem of config.identity.problems)
    log('error', 'identity_not_configured', { problem: String(problem) })
  const keeping = { keepMs: config.policyKeepMs, log }
  const policyFile = openPolicy(config.access, state.audit, keeping)
  const { rulesFile } = config.publishing
  const rulesFollowed = rulesFile === null ? NO_RULES : publishRulesFile(rulesFile, keeping)
  const isWhole = providers.length > 0 && config.identity.problems.length === 0 // else live sessions go on
  const policy = isWhole
    ? forIssuers(policyFile.read, new Set(providers.map(({ issuer }) => issuer)))
    : policyFile.read

  const place = config.releases
  const copies = place === null ? null : cleanup.use(await followStore({ place, folder, log, metrics }))
  const onProblem = (reason: string) => log('error', 'release_refused', { reason })
  const onServe = createEditionRecorder(state.audit)
  const releases = await openReleases({ releasesDir: folder.releases, onProblem, onServe, ...copies })
  const { embeddings } = config
  const runner = cleanup.adopt(
    createSearchRunner({
      maxReleases: SEARCHED_RELEASES,
      embeddings,
      onProblem: (reason) => log('warn', 'embeddings_unavailable', { reason }),
    }),
    (started) => started.close(),
  )
  const signIns = watchSignIns({ log, metrics, now })
  const followed = { policy: policyFile.state, rules: rulesFollowed.state }
  const sources = {
    ...state.sources,
    ...config.sessions,
    ...followed,
    log: output,
    release: releases.status,
    signInState: signIns.state,
    now,
  }
  /** Lets health checks notice a release published without readers. */
  const report = async () => {
    await releases.manifest()
    return readHealth(sources)
  }
  const { observe } = observer
  return {
    ...common,
    ...state,
    server,
    port,
    policy,
    providers,
    copies,
    releases,
    runner,
    report,
    observe,
    signIns,
    followed,
    rules: rulesFollowed.read,
    searches: createFairSearches(runner),
  }
}

type Services = Awaited<ReturnType<typeof openServices>>

async function openDataFolder(path: string, log: Log, cleanup: AsyncDisposableStack): Promise<DataFolder> {
  const folder = dataFolderAt(path)
  makeDataFolder(folder)
  cleanup.use(lockDataFolder(folder))
  const aside = await finishRestore(folder)
  if (aside !== null) log('warn', 'restore_completed', { aside })
  return folder
}

/** Lists the endpoints of the main origin, and opens the hosts of previews. */
async function openEndpoints(services: Services, cleanup: AsyncDisposableStack) {
  const { config, origin, releases, providers, seal, report, now } = services
  const maxAgeSeconds = Math.floor(config.sessions.absoluteMs / 1_000)
  const shared = {
    ...services,
    placeOf: config.placeOf,
    timeZone: config.timeZone,
    contentPolicy: createContentPolicy(config.grants),
    health: async () => (await report()).health.status,
    cookies: createSessionCookies(origin, maxAgeSeconds),
    tickets: createPreviewTickets({ seal, now }),
  }
  const { folder, log } = services
  const { trustedProxies, releases: place } = config
  const answers = openAnswers(services, cleanup)
  const hasAnswers = answers.service !== null
  const ofPreviews = { ...shared, portal: origin, maxAgeSeconds, answers: answers.service }
  const previews = cleanup.use(
    await openPreviews({
      place,
      folder,
      log,
      trustedProxies,
      embeddings: config.embeddings,
      shared: ofPreviews,
    }),
  )
  const inspector = cleanup.adopt(createIndexInspector(), (started) => started.close())
  const publishing = openPublishing({
    ...services,
    stores: services,
    refreshPreview: previews.refresh,
    inspectIndex: inspector.inspect,
  })
  const bundle = await readLoginBundle()
  const { releasesDir } = services.copies ?? { releasesDir: folder.releases }
  const changes = createReleaseChanges(releasesDir)
  const whatsNew = config.hasWhatsNew ? createWhatsNew({ ...shared, changes }) : null
  const watches = (config.notices?.mail ?? null) === null ? null : createWatches(shared)
  const readStatuses = createStatuses(services.acknowledgements)
  const findGaps = createFindGaps(shared)
  const recipients = createRecipients(shared)
  const readers = config.hasReadership ? createReaderCounts(shared) : null
  const gate = createPortalGate({
    ...shared,
    counts: {
      opened: (reader, path) => readers?.opened(reader, path),
      missing({ served, viewingAs, session, account }, path) {
        if (served === null || viewingAs !== null) return
        // Under a key of its own it replaces no search, and a session that asks for many has the last of each pause counted.
        const entry = { q: path, hits: 0, edition: served.name }
        services.queryLog.searched(`missing ${session.id}`, account, entry)
      },
    },
    ownedPages: createOwnedPages({
      ...{ ...shared, findGaps, asked: recipients.asked },
      readership: config.hasReadership ? services.readership : null,
    }),
    keptRecords: { ...config, hasAnswers, hasMail: watches !== null },
    grants: config.agents === null ? null : services.grants,
    ownAgents: config.agents === null ? null : createOwnAgents({ ...shared, ...config.agents }),
    hasAnswers,
    whatsNew,
    watches,
    loginBundle: bundle,
    loginPage: createLoginPage({
      lang: config.loginLanguage,
      localeOf: releases.localeOf,
      site: config.site,
      origin,
      providers: providers.length > 0 ? providers.map(({ login }) => login) : config.identity.broken,
      bundle,
    }),
    endpoints: [
      createSearchRoutes({
        ...shared,
        log: services.queryLog,
        hasAnswers,
        rewriter: answers.rewriter,
        readStatuses,
      }),
      publishing.routes,
      createHandOverRoutes({ ...shared, findPreview: previews.find, isPreviewReader }),
      ...answers.routes,
      ...(config.agents === null
        ? []
        : [
            createAgentRoutes({ ...shared, readStatuses }),
            createAgentsSignInRoutes({ ...shared, ...config.agents }),
          ]),
    ],
  })
  const notices =
    config.notices === null
      ? null
      : createNotices({
          ...shared,
          config: config.notices,
          releasesDir,
          changes,
          findGaps,
          recipients,
          feedback: createFeedbackFiles(folder.feedback),
        })
  return { gate, previews, publishing, notices, readers }
}

/** Opens answers and rewriting where the operator names a model; answers end before connections are drained. */
function openAnswers(services: Services, cleanup: AsyncDisposableStack) {
  const { answers: config, timeZone } = services.config
  if (config === null) return { service: null, routes: [], rewriter: null }
  const answers = cleanup.adopt(createAnswerService({ ...services, config, timeZone }), (it) => it.close())
  const { rewriter } = answers
  if (config.rewritesOnly) return { service: null, routes: [], rewriter }
  return { service: answers, routes: [createAnswerRoutes({ ...services, answers, timeZone })], rewriter }
}

const NO_RULES: FollowedFile<readonly PublishRule[]> = { read: () => [], state: () => 'ok' }

/** A file of the operator's that went wrong is reported within this time, also while no request asks for it. */
const LOOK_AT_FILES_MS = 10_000

/** Interval of looking for abandoned parts of releases. */
const TIDY_UPLOADS_MS = 3_600_000

/** Starts what happens beside the requests. */
async function startJobs(
  services: Services,
  beside: {
    tidy(): Promise<void>
    readonly sendNotices: (() => Promise<void>) | null
    readonly writeReaders: (() => Promise<void>) | null
  },
  cleanup: AsyncDisposableStack,
) {
  const { config, providers, log, metrics, report, copies, folder, usage, followed } = services
  const { revalidationIntervalMs } = config.sessions
  const stop = startMaintenance({
    ...services,
    identity: createRevalidator(providers),
    revalidationIntervalMs,
    hasPreviousSecret: config.previousSecret !== null,
    auditKeepMs: config.auditKeepMs,
    ...beside,
  })
  cleanup.defer(stop)
  const tidy = () =>
    beside.tidy().catch((error) => log('warn', 'publishing_failed', { error: describeError(error) }))
  const tidying = setInterval(tidy, TIDY_UPLOADS_MS).unref()
  cleanup.defer(() => clearInterval(tidying))
  const looking = setInterval(() => [followed.policy(), followed.rules()], LOOK_AT_FILES_MS).unref()
  cleanup.defer(() => clearInterval(looking))
  if (config.metrics === null) return null
  const storeAgeMs = () => copies?.ageMs() ?? null
  const { read } = cleanup.use(watchResources({ dataDir: folder.root, usage, storeAgeMs }))
  const sources = { metrics, report, resources: read }
  return cleanup.adopt(await startMetricsServer(sources, config.metrics), (it) => it.close())
}
