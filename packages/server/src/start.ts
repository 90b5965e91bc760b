import { HOST_INDEPENDENT_TARGETS } from '@sekisho/contract/routes'
import type { ReleaseStatus } from '@sekisho/release'
import { describePolicy, recordRules } from './access/policy-source.ts'
import { isPreviewReader } from './access/preview-policy.ts'
import { createRecipients } from './access/recipients.ts'
import { createAgentRoutes } from './agents/mcp/mcp.ts'
import { createAgentsSignInRoutes } from './agents/sign-in/agents-sign-in.ts'
import type { GateConfig } from './config/gate-config.ts'
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
import { createIndexInspector } from './endpoints/search/index-inspector.ts'
import { createSearchRoutes, warmSearch } from './endpoints/search/search-api.ts'
import { readLoginBundle } from './endpoints/sign-in/login-bundle.ts'
import { createLoginPage } from './endpoints/sign-in/login-page.ts'
import { createRevalidator } from './identity/revalidation.ts'
import { closeInTime, divideClosing } from './jobs/closing.ts'
import { noteAuditHead, startMaintenance } from './jobs/maintenance.ts'
import { createNotices } from './jobs/notices/notices.ts'
import { withClientAddress } from './kernel/client/client-address.ts'
import { createSessionCookies } from './kernel/client/session-cookies.ts'
import { describeError } from './kernel/monitoring/log.ts'
import type { LogOutput } from './kernel/monitoring/log-output.ts'
import { watchResources } from './kernel/monitoring/measures/resources.ts'
import { createStatuses } from './kernel/page-status.ts'
import { openPreviews } from './open-previews.ts'
import { openServices, type Services } from './open-services.ts'
import { createPortalGate } from './portal-gate.ts'
import { createContentPolicy } from './releases/content-policy.ts'
import { createFindGaps } from './releases/search-gaps.ts'
import { createFeedbackFiles } from './state/feedback/index.ts'

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

  const { server, port, common, state, admission, content } = services
  const { origin, log } = common
  const { audit } = state
  const { drainMs, closeMs } = divideClosing(config.stopWithinMs)
  cleanup.defer(() => server.close(drainMs))
  noteAuditHead({ audit, log }) // as it was found
  const { mode } = config
  recordRules(admission.policy, audit)
  await audit.recordDurably('gate_started', {
    origin: origin.origin,
    mode,
    ...describePolicy(admission.policy),
  })
  const handle = withClientAddress(gate, config.trustedProxies)
  const { maxBodyBytes } = publishing
  const service = { origin, hostIndependentTargets: HOST_INDEPENDENT_TARGETS, maxBodyBytes, handle }
  server.attach(service, previews.findService)
  void warmSearch(content.releases, content.runner)

  const resources = cleanup.move()
  const drop = () => void server.close(0)
  return {
    origin,
    port,
    release: content.releases.status(),
    metricsPort: metricsServer?.port ?? null,
    close: (hurry) => closeInTime(() => resources.disposeAsync(), { audit, log, drop, hurry, closeMs }),
  }
}

/** Lists the endpoints of the main origin, and opens the hosts of previews. */
async function openEndpoints(services: Services, cleanup: AsyncDisposableStack) {
  const { common, state, admission, content, observe, report } = services
  const { config, folder, origin, log, metrics, now } = common
  const { audit, seal, sessions, digest, queryLog, acknowledgements } = state
  const { providers, policy } = admission
  const { releases, searches, copies } = content
  const { placeOf, timeZone, trustedProxies, agents, embeddings } = config
  const clock = { now, timeZone }

  const maxAgeSeconds = Math.floor(config.sessions.absoluteMs / 1_000)
  const cookies = createSessionCookies(origin, maxAgeSeconds)
  const tickets = createPreviewTickets({ seal, now })
  const answers = openAnswers(services, cleanup)
  const hasAnswers = answers.service !== null
  /** Parts of the portal and of previews. */
  const ofHosts = {
    ...clock,
    placeOf,
    policy,
    sessions,
    audit,
    seal,
    tickets,
    observe,
    contentPolicy: createContentPolicy(config.grants),
    health: async () => (await report()).health.status,
  }
  const previews = cleanup.use(
    await openPreviews({
      folder,
      log,
      trustedProxies,
      embeddings,
      place: config.releases,
      shared: { ...ofHosts, portal: origin, maxAgeSeconds, answers: answers.service },
    }),
  )
  const inspector = cleanup.adopt(createIndexInspector(), (started) => started.close())
  const publishing = openPublishing({
    config,
    folder,
    origin,
    releases,
    copies,
    audit,
    seal,
    now,
    rules: admission.rules,
    stores: state,
    refreshPreview: previews.refresh,
    inspectIndex: inspector.inspect,
  })
  const bundle = await readLoginBundle()
  const { releasesDir } = copies ?? { releasesDir: folder.releases }
  const changes = createReleaseChanges(releasesDir)
  const whatsNew = config.hasWhatsNew
    ? createWhatsNew({ ...clock, origin, changes, visits: state.visits })
    : null
  const hasMail = (config.notices?.mail ?? null) !== null
  const watches = hasMail ? createWatches({ notices: state.notices, now }) : null
  const readStatuses = createStatuses(acknowledgements)
  const findGaps = createFindGaps({ releases, searches, now, searchLog: state.searchLog })
  const recipients = createRecipients({ policy, releases, sessions })
  const { readership, grants, feedbackLog } = state
  const readers = config.hasReadership ? createReaderCounts({ ...clock, readership, digest }) : null
  const gate = createPortalGate({
    ...ofHosts,
    origin,
    log,
    releases,
    cookies,
    hasAnswers,
    whatsNew,
    watches,
    acknowledgements,
    feedbackLog,
    providers,
    signIns: admission.signIns,
    accountLimit: state.accountLimit,
    publishers: state.publishers,
    counts: {
      opened: (reader, path) => readers?.opened(reader, path),
      missing({ served, viewingAs, session, account }, path) {
        if (served === null || viewingAs !== null) return
        // Under a key of its own it replaces no search, and a session that asks for many has the last of each pause counted.
        const entry = { q: path, hits: 0, edition: served.name }
        queryLog.searched(`missing ${session.id}`, account, entry)
      },
    },
    ownedPages: createOwnedPages({
      ...clock,
      acknowledgements,
      audit,
      findGaps,
      asked: recipients.asked,
      readership: config.hasReadership ? readership : null,
    }),
    keptRecords: { ...config, hasAnswers, hasMail },
    grants: agents === null ? null : grants,
    ownAgents:
      agents === null ? null : createOwnAgents({ ...agents, origin, grants, sessions, cookies, audit, now }),
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
        ...clock,
        origin,
        searches,
        audit,
        readStatuses,
        hasAnswers,
        log: queryLog,
        rewriter: answers.rewriter,
      }),
      publishing.routes,
      createHandOverRoutes({ cookies, tickets, findPreview: previews.find, isPreviewReader }),
      ...answers.routes,
      ...(agents === null
        ? []
        : [
            createAgentRoutes({
              ...clock,
              origin,
              searches,
              audit,
              digest,
              queryLog,
              feedbackLog,
              readStatuses,
            }),
            createAgentsSignInRoutes({
              ...agents,
              origin,
              grants,
              sessions,
              cookies,
              audit,
              seal,
              now,
              registrationLimit: state.registrationLimit,
            }),
          ]),
    ],
  })
  const notices =
    config.notices === null
      ? null
      : createNotices({
          ...clock,
          origin,
          audit,
          log,
          metrics,
          releases,
          releasesDir,
          changes,
          findGaps,
          recipients,
          config: config.notices,
          notices: state.notices,
          acknowledgements,
          feedback: createFeedbackFiles(folder.feedback),
        })
  return { gate, previews, publishing, notices, readers }
}

/** Opens answers and rewriting where the operator names a model; answers end before connections are drained. */
function openAnswers({ common, state, content }: Services, cleanup: AsyncDisposableStack) {
  const { origin, now } = common
  const { answers: config, timeZone } = common.config
  if (config === null) return { service: null, routes: [], rewriter: null }
  const { audit, queryLog, answerTokens, digest } = state
  const { searches } = content
  const answers = cleanup.adopt(
    createAnswerService({
      config,
      origin,
      searches,
      audit,
      queryLog,
      answerTokens,
      digest,
      now,
      timeZone,
    }),
    (service) => service.close(),
  )
  const { rewriter } = answers
  if (config.rewritesOnly) return { service: null, routes: [], rewriter }
  return { service: answers, routes: [createAnswerRoutes({ answers, queryLog, timeZone, now })], rewriter }
}

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
  const { common, state, admission, content, report } = services
  const { config, folder, log, metrics } = common
  const { providers, followed } = admission
  const { revalidationIntervalMs } = config.sessions
  const stop = startMaintenance({
    ...common,
    ...state,
    ...beside,
    identity: createRevalidator(providers),
    revalidationIntervalMs,
    hasPreviousSecret: config.previousSecret !== null,
    auditKeepMs: config.auditKeepMs,
  })
  cleanup.defer(stop)
  const tidy = () =>
    beside.tidy().catch((error) => log('warn', 'publishing_failed', { error: describeError(error) }))
  const tidying = setInterval(tidy, TIDY_UPLOADS_MS).unref()
  cleanup.defer(() => clearInterval(tidying))
  const looking = setInterval(() => [followed.policy(), followed.rules()], LOOK_AT_FILES_MS).unref()
  cleanup.defer(() => clearInterval(looking))
  if (config.metrics === null) return null
  const storeAgeMs = () => content.copies?.ageMs() ?? null
  const { read } = cleanup.use(watchResources({ dataDir: folder.root, usage: state.usage, storeAgeMs }))
  const sources = { metrics, report, resources: read }
  return cleanup.adopt(await startMetricsServer(sources, config.metrics), (it) => it.close())
}
