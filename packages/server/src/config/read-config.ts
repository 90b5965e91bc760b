import { isIP } from 'node:net'
import { LANGUAGES, type Message } from '@sekisho/contract/language'
import { settingProblemOf } from '@sekisho/contract/setting-problem'
import { type EmbeddingEndpoint, isEndpoint } from '@sekisho/search/embeddings'
import { type AccessPolicy, readPolicy } from '../access/policy.ts'
import { readPolicyText } from '../access/policy-source.ts'
import type { SettingsSource } from '../identity/provider.ts'
import { LOOPBACK_HOSTS, readAddressBlocks } from '../kernel/client/client-address.ts'
import { readPlaces } from '../kernel/client/places.ts'
import { LOG_LEVELS } from '../kernel/monitoring/log.ts'
import type { SessionLimits } from '../state/sessions/index.ts'
import { problemOf } from '../texts/index.ts'
import { readAgentSettings } from './agent-settings.ts'
import { readAnswerSettings } from './answer-settings.ts'
import { readGrantSetting, readRetention } from './command-settings.ts'
import { readDatabaseUrls } from './database-url.ts'
import type { GateConfig, Mode } from './gate-config.ts'
import { readMetrics } from './metrics-settings.ts'
import { readNoticeSettings } from './notice-settings.ts'
import { readPublishRules } from './publish-rules.ts'
import { readProviders } from './read-providers.ts'
import { findRenamed, withPresentNames } from './renamed-settings.ts'
import { readRisks } from './risky-settings.ts'
import { readSecrets } from './secret-settings.ts'
import { ConfigError, type Environment, type ReadFile, SettingsReader } from './settings.ts'
import { SETTINGS } from './settings-table.ts'
import { readStorePlace } from './store-place.ts'

interface ReadConfigOptions {
  readonly mode: Mode
  readonly readFile: ReadFile
  /** Mail domains admitted in local mode when no policy is set. */
  readonly localDomains?: readonly string[]
}

/** Reads every setting once and throws `ConfigError` with every problem at once. */
export function readConfig(given: Environment, options: ReadConfigOptions): GateConfig {
  const env = withPresentNames(given)
  const { mode, readFile } = options
  const local = mode === 'local'
  const settings = new SettingsReader(env, readFile)
  const host = settings.textOrDefault('SEKISHO_HOST')
  const config: Omit<GateConfig, 'risks'> = {
    mode,
    renamed: findRenamed(given),
    origin: readOrigin(settings, mode),
    listen: {
      host,
      port: settings.port('SEKISHO_PORT') ?? settings.port('PORT') ?? Number(SETTINGS.SEKISHO_PORT.fallback),
    },
    dataDir: settings.textOrDefault('SEKISHO_DATA_DIR'),
    releases: readStorePlace(env, readFile, settings.problems),
    retention: readRetention(env, settings.problems),
    publishing: readPublishing(settings, readFile),
    site: {
      title: settings.textOrDefault('SEKISHO_TITLE'),
      tagline: settings.textOrDefault('SEKISHO_TAGLINE'),
    },
    loginLanguage: settings.choice('SEKISHO_LOGIN_LANG', LANGUAGES),
    identity: readProviders(providerSettings(settings), mode, settings.problems),
    timeZone: readTimeZone(settings),
    access: readAccess(settings, local ? (options.localDomains ?? []) : []),
    policyKeepMs: settings.duration('SEKISHO_POLICY_KEEP'),
    grants: readGrantSetting(env, settings.problems),
    sessions: readSessionLimits(settings),
    agents: readAgentSettings(settings),
    trustedProxies: readAddresses(settings, 'SEKISHO_TRUSTED_PROXIES', readAddressBlocks),
    placeOf: readAddresses(settings, 'SEKISHO_NETWORKS', readPlaces),
    keepAliveMs: settings.duration('SEKISHO_KEEP_ALIVE'),
    stopWithinMs: settings.duration('SEKISHO_STOP_WITHIN'),
    ...readDatabaseUrls(settings),
    ...readSecrets(settings, mode),
    embeddings: readEmbeddings(settings),
    answers: readAnswerSettings(settings),
    notices: readNoticeSettings(settings),
    searchLogDays: settings.count('SEKISHO_SEARCH_LOG_DAYS'),
    feedbackDays: settings.count('SEKISHO_FEEDBACK_DAYS'),
    hasReadership: settings.isOn('SEKISHO_READERSHIP'),
    hasWhatsNew: settings.isOn('SEKISHO_WHATS_NEW'),
    auditKeepMs: settings.duration('SEKISHO_AUDIT_KEEP'),
    metrics: readMetrics(settings),
    logLevel: settings.choice('SEKISHO_LOG_LEVEL', LOG_LEVELS, local ? 'warn' : 'info'),
  }
  settings.problems.push(...findListenProblems(config), ...findModeProblems(config, env))
  const risks = readRisks(config, env, settings, readFile)
  if (settings.problems.length > 0) throw new ConfigError([...settings.problems, ...config.identity.problems])
  return { ...config, risks }
}

/** Settings as a provider reads them: any of them by name, and secrets out of files. */
function providerSettings(settings: SettingsReader): SettingsSource {
  return { text: (name) => settings.named(name), secret: (name) => settings.secret(name) }
}

/** An address, or a name that could be one of this machine. */
const LISTEN_HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

function findListenProblems({ listen, metrics }: Pick<GateConfig, 'listen' | 'metrics'>): Message[] {
  const hosts = [
    ['SEKISHO_HOST', listen.host] as const,
    ['SEKISHO_METRICS_HOST', metrics?.host ?? 'localhost'] as const,
  ]
  const problems = hosts
    .filter(([, host]) => isIP(host) === 0 && !LISTEN_HOST.test(host))
    .map(([name, host]) => problemOf('bad_listen_host', name, host))
  if (listen.port !== 0 && listen.port === metrics?.port) problems.push(problemOf('same_port', listen.port))
  return problems
}

/** Problems of settings of the other mode: real accounts and local ones must never meet. */
function findModeProblems(
  { mode, listen }: Pick<GateConfig, 'mode' | 'listen'>,
  env: Environment,
): Message[] {
  if (mode === 'local') {
    const problems: Message[] = []
    if (env.NODE_ENV === 'production') problems.push(problemOf('local_in_production'))
    if (!LOOPBACK_HOSTS.has(listen.host)) problems.push(problemOf('local_off_loopback'))
    return problems
  }
  return Object.keys(env)
    .filter((name) => /_EMULATOR_(?:HOST|HUB)$/.test(name) && env[name] !== '')
    .map((name) => problemOf('emulator', name))
}

function readOrigin(settings: SettingsReader, mode: Mode): URL | null {
  const text = settings.text('SEKISHO_ORIGIN')
  if (text === undefined && mode === 'local') return null
  const origin = URL.parse(text ?? '')
  const isBare = origin !== null && `${origin.origin}/` === origin.href
  if (mode === 'production' && (!isBare || origin.protocol !== 'https:')) {
    settings.problems.push(problemOf('bad_origin'))
  }
  const isLoopback = isBare && origin.protocol === 'http:' && LOOPBACK_HOSTS.has(origin.hostname)
  if (mode === 'local' && !isLoopback) settings.problems.push(problemOf('bad_local_origin'))
  return origin
}

/** The policy that the settings name, for a command that needs nothing else of them. Throws `ConfigError`. */
export function readPolicyOnly(env: Environment, readFile: ReadFile): AccessPolicy {
  const { SEKISHO_POLICY_FILE, SEKISHO_ALLOWED_DOMAINS, SEKISHO_ALLOWED_EMAILS } = env
  const own = { SEKISHO_POLICY_FILE, SEKISHO_ALLOWED_DOMAINS, SEKISHO_ALLOWED_EMAILS }
  const settings = new SettingsReader(own, readFile)
  const access = readAccess(settings, [])
  const { policy, problems } =
    'policy' in access ? { ...access, problems: [] } : readPolicyText(readFile(access.file))
  settings.problems.push(...problems.map((problem) => problemOf('setting', 'SEKISHO_POLICY_FILE', problem)))
  if (settings.problems.length > 0) throw new ConfigError(settings.problems)
  return policy
}

function readAccess(settings: SettingsReader, defaultDomains: readonly string[]): GateConfig['access'] {
  const file = settings.text('SEKISHO_POLICY_FILE')
  const domains = settings.list('SEKISHO_ALLOWED_DOMAINS')
  const emails = settings.list('SEKISHO_ALLOWED_EMAILS')
  const isSet = domains.length + emails.length > 0
  if (file !== undefined) {
    if (isSet)
      settings.problems.push(
        settingProblemOf('replaces', 'SEKISHO_POLICY_FILE', [
          'SEKISHO_ALLOWED_DOMAINS',
          'SEKISHO_ALLOWED_EMAILS',
        ]),
      )
    return { file }
  }
  const { policy, problems } = readPolicy(isSet ? domains : defaultDomains, emails)
  settings.problems.push(...problems.map((problem) => problemOf('policy', problem)))
  if (!isSet && defaultDomains.length === 0) {
    settings.problems.push(problemOf('policy_admits_none'))
  }
  return { policy }
}

function readPublishing(settings: SettingsReader, readFile: ReadFile) {
  const rulesFile = settings.text('SEKISHO_PUBLISH_RULES_FILE') ?? null
  if (rulesFile !== null) {
    try {
      const problems: Message[] = []
      readPublishRules(readFile(rulesFile), problems)
      settings.problems.push(
        ...problems.map((problem) => problemOf('setting', 'SEKISHO_PUBLISH_RULES_FILE', problem)),
      )
    } catch {
      settings.problems.push(problemOf('unreadable_file', 'SEKISHO_PUBLISH_RULES_FILE'))
    }
  }
  return {
    rulesFile,
    maxBytes: settings.count('SEKISHO_PUBLISH_MAX_MB') * 1_000_000,
    maxEntries: settings.count('SEKISHO_PUBLISH_MAX_FILES'),
  }
}

function readSessionLimits(settings: SettingsReader): SessionLimits {
  const limits = {
    idleMs: settings.duration('SEKISHO_SESSION_IDLE'),
    absoluteMs: settings.duration('SEKISHO_SESSION_ABSOLUTE'),
    revalidationIntervalMs: settings.duration('SEKISHO_REVALIDATION_INTERVAL'),
    revalidationGraceMs: settings.duration('SEKISHO_REVALIDATION_GRACE'),
  }
  if (limits.idleMs > limits.absoluteMs) {
    settings.problems.push(problemOf('idle_beyond_absolute'))
  }
  return limits
}

function readAddresses<T>(
  settings: SettingsReader,
  name: 'SEKISHO_TRUSTED_PROXIES' | 'SEKISHO_NETWORKS',
  read: (entries: readonly string[], problems: Message[]) => T,
): T {
  const problems: Message[] = []
  const found = read(settings.list(name), problems)
  settings.problems.push(...problems.map((problem) => problemOf('setting', name, problem)))
  return found
}

function readTimeZone(settings: SettingsReader): string {
  const zone = settings.textOrDefault('SEKISHO_TIME_ZONE')
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    settings.problems.push(problemOf('bad_time_zone'))
    return SETTINGS.SEKISHO_TIME_ZONE.fallback
  }
}

/**
 * Reads the endpoint for readers' questions: none unless the operator sets it. An index names its model and never an address, so publishers
 * cannot redirect questions.
 */
function readEmbeddings(settings: SettingsReader): EmbeddingEndpoint | null {
  const url = settings.text('SEKISHO_EMBEDDINGS_URL')
  const key = settings.secret('SEKISHO_EMBEDDINGS_KEY')
  if (url === undefined) return null // a key alone is for builds
  if (!isEndpoint(url)) settings.problems.push(problemOf('bad_embeddings_url'))
  return { url, key }
}
