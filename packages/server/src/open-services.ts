import type { NodeServer } from '@sekisho/wire'
import { createEditionRecorder } from './access/choose-edition.ts'
import type { FollowedFile } from './access/followed-file.ts'
import { forIssuers, openPolicy, type PolicySource } from './access/policy-source.ts'
import type { GateConfig } from './config/gate-config.ts'
import { type PublishRule, publishRulesFile } from './config/publish-rules.ts'
import { refuseRisks } from './config/risky-settings.ts'
import { createFairSearches, type FairSearches } from './endpoints/search/fair-searches.ts'
import { createSearchRunner, type SearchRunner } from './endpoints/search/search-runner.ts'
import type { IdentityProvider } from './identity/provider.ts'
import { type HealthReport, type PartState, readHealth } from './kernel/monitoring/health.ts'
import { createLog, type Log } from './kernel/monitoring/log.ts'
import type { LogOutput } from './kernel/monitoring/log-output.ts'
import { createMetrics } from './kernel/monitoring/metrics.ts'
import { type SignInWatch, watchSignIns } from './kernel/monitoring/sign-in-watch.ts'
import { createObserver, type Observer } from './kernel/observer.ts'
import { openServer } from './open-server.ts'
import { type Common, openState, type State } from './open-state.ts'
import { followStore, type StoreCopies } from './releases/follow-store.ts'
import { openReleases, type Releases } from './releases/open-releases.ts'
import { finishRestore } from './state/backup/index.ts'
import { type DataFolder, dataFolderAt, lockDataFolder, makeDataFolder } from './storage/data-folder.ts'

/** The release that is served, and the one before it for tabs that were opened then. */
const SEARCHED_RELEASES = 2

/** Identity providers, and the rules of who may read and publish. */
interface Admission {
  readonly providers: readonly IdentityProvider[]
  readonly signIns: SignInWatch
  readonly policy: PolicySource
  readonly rules: () => readonly PublishRule[]
  /** States of the files that hold the rules. */
  readonly followed: { readonly policy: () => PartState; readonly rules: () => PartState }
}

/** Releases, and searches in them. */
interface Content {
  readonly releases: Releases
  /** Null where the data folder's own releases are served. */
  readonly copies: StoreCopies | null
  readonly runner: SearchRunner
  readonly searches: FairSearches
}

/** Everything that endpoints and jobs have in common, by part. */
export interface Services {
  readonly server: NodeServer
  /** Port to listen on, which need not be the origin's. */
  readonly port: number
  readonly common: Common
  readonly state: State
  readonly admission: Admission
  readonly content: Content
  readonly observe: Observer['observe']
  readonly report: () => Promise<HealthReport>
}

/** Opens whatever endpoints have in common. The port comes first, so that one that is taken is said at once. */
export async function openServices(
  config: GateConfig,
  output: LogOutput,
  cleanup: AsyncDisposableStack,
): Promise<Services> {
  const now = Date.now
  const log = createLog({ level: config.logLevel, write: output.write, now })
  refuseRisks(config, log)
  for (const warning of config.renamed) log('warn', 'setting_renamed', { problem: String(warning) })
  const metrics = createMetrics()
  const folder = await openDataFolder(config.dataDir, log, cleanup)
  const { observe } = cleanup.adopt(createObserver(log, metrics), ({ flush }) => flush())
  const { server, port, origin } = cleanup.use(await openServer({ config, log, metrics }))
  const common = { config, folder, origin, log, metrics, now }

  const state = cleanup.use(await openState(common))
  const admission = await openAdmission(common, state)
  const content = await openContent(common, state, cleanup)
  const sources = {
    ...state.sources,
    ...config.sessions,
    ...admission.followed,
    log: output,
    release: content.releases.status,
    signInState: admission.signIns.state,
    now,
  }
  /** Lets health checks notice a release published without readers. */
  const report = async () => {
    await content.releases.manifest()
    return readHealth(sources)
  }
  return { server, port, common, state, admission, content, observe, report }
}

async function openDataFolder(path: string, log: Log, cleanup: AsyncDisposableStack): Promise<DataFolder> {
  const folder = dataFolderAt(path)
  makeDataFolder(folder)
  cleanup.use(lockDataFolder(folder))
  const aside = await finishRestore(folder)
  if (aside !== null) log('warn', 'restore_completed', { aside })
  return folder
}

const NO_RULES: FollowedFile<readonly PublishRule[]> = { read: () => [], state: () => 'ok' }

async function openAdmission(common: Common, { seal, audit }: State): Promise<Admission> {
  const { config, folder, origin, log, metrics, now } = common
  const onWarning = (message: string) => log('warn', 'local_identity', { message })
  const opening = { origin, accountsFile: folder.localAccounts, onWarning, seal, now }
  const providers = await Promise.all(config.identity.providers.map((one) => one.open(opening)))
  for (const problem of config.identity.problems)
    log('error', 'identity_not_configured', { problem: String(problem) })
  const keeping = { keepMs: config.policyKeepMs, log }
  const policyFile = openPolicy(config.access, audit, keeping)
  const { rulesFile } = config.publishing
  const rules = rulesFile === null ? NO_RULES : publishRulesFile(rulesFile, keeping)
  const isWhole = providers.length > 0 && config.identity.problems.length === 0 // else live sessions go on
  return {
    providers,
    signIns: watchSignIns({ log, metrics, now }),
    policy: isWhole
      ? forIssuers(policyFile.read, new Set(providers.map(({ issuer }) => issuer)))
      : policyFile.read,
    rules: rules.read,
    followed: { policy: policyFile.state, rules: rules.state },
  }
}

async function openContent(
  common: Common,
  { audit }: State,
  cleanup: AsyncDisposableStack,
): Promise<Content> {
  const { config, folder, log } = common
  const place = config.releases
  const copies = place === null ? null : cleanup.use(await followStore({ ...common, place }))
  const onProblem = (reason: string) => log('error', 'release_refused', { reason })
  const onServe = createEditionRecorder(audit)
  const releases = await openReleases({ releasesDir: folder.releases, onProblem, onServe, ...copies })
  const runner = cleanup.adopt(
    createSearchRunner({
      maxReleases: SEARCHED_RELEASES,
      embeddings: config.embeddings,
      onProblem: (reason) => log('warn', 'embeddings_unavailable', { reason }),
    }),
    (started) => started.close(),
  )
  return { releases, copies, runner, searches: createFairSearches(runner) }
}
