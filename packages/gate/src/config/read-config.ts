import { LOGIN_LANGUAGES, type LoginLanguage } from '@sekisho/contract/login-page'
import { DEFAULT_DATA_DIR } from '@sekisho/state/data-folder'
import type { SessionLimits } from '@sekisho/state/sessions'
import { type AccessPolicy, readPolicy } from '../access/policy.ts'
import { readPolicyText } from '../access/policy-source.ts'
import { readPublishRules } from '../access/publish-rules.ts'
import { createTrustedProxies } from '../frame/client-address.ts'
import { createPlaces } from '../frame/places.ts'
import type { SettingsSource } from '../identity/provider.ts'
import type { LogLevel } from '../observability/log.ts'
import { readDatabaseUrl } from './database-url.ts'
import type { GateConfig, Mode } from './gate-config.ts'
import { readGrantSetting } from './grant-setting.ts'
import { readProviders } from './read-providers.ts'
import { readRetention } from './retention.ts'
import { readRisks } from './risky-settings.ts'
import { ConfigError, type Environment, SettingsReader } from './settings.ts'
import { readStorePlace } from './store-place.ts'

export interface ReadConfigOptions {
  readonly mode: Mode
  readonly readFile: (path: string) => string
  /** Mail domains admitted in local mode when no policy is set. */
  readonly localDomains?: readonly string[]
}

const MINUTE_MS = 60_000
const MIN_SECRET_CHARS = 32
const DEFAULT_TIME_ZONE = 'Asia/Tokyo'
const MAX_LOG_DAYS = 3_650
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Reads every setting once and throws `ConfigError` with every problem at once. */
export function readConfig(env: Environment, options: ReadConfigOptions): GateConfig {
  const { mode } = options
  const local = mode === 'local'
  const settings = new SettingsReader(env)
  const host = settings.text('SEKISHO_HOST') ?? '127.0.0.1'
  const config: Omit<GateConfig, 'risks'> = {
    mode,
    origin: readOrigin(settings, mode),
    listen: { host, port: settings.port('SEKISHO_PORT') ?? settings.port('PORT') ?? 3000 },
    dataDir: settings.text('SEKISHO_DATA_DIR') ?? DEFAULT_DATA_DIR,
    releases: readStorePlace(env, options.readFile, settings.problems),
    retention: readRetention(env, settings.problems),
    publishing: readPublishing(settings, options.readFile),
    site: {
      title: settings.text('SEKISHO_TITLE') ?? 'Sekisho',
      tagline: settings.text('SEKISHO_TAGLINE') ?? '技術ドキュメントポータル',
    },
    loginLanguage: readLoginLanguage(settings),
    identity: readProviders(providerSettings(settings, options), mode, settings.problems),
    timeZone: readTimeZone(settings),
    access: readAccess(settings, local ? (options.localDomains ?? []) : []),
    grants: readGrantSetting(env, settings.problems),
    sessions: readSessionLimits(settings),
    trustedProxies: readAddresses(settings, 'SEKISHO_TRUSTED_PROXIES', createTrustedProxies),
    placeOf: readAddresses(settings, 'SEKISHO_NETWORKS', createPlaces),
    keepAliveMs: settings.duration('SEKISHO_KEEP_ALIVE', 65_000),
    databaseUrl: readDatabaseUrl(settings, options.readFile),
    secret: readSecret(settings, options),
    searchLogDays: settings.count('SEKISHO_SEARCH_LOG_DAYS', 30, MAX_LOG_DAYS),
    feedbackDays: settings.count('SEKISHO_FEEDBACK_DAYS', 365, MAX_LOG_DAYS),
    auditKeepMs: settings.duration('SEKISHO_AUDIT_KEEP', 365 * 24 * 60 * MINUTE_MS),
    metricsPort: settings.port('SEKISHO_METRICS_PORT') ?? null,
    logLevel: readLogLevel(settings, local ? 'warn' : 'info'),
  }
  settings.problems.push(...findModeProblems(config, env))
  const risks = readRisks(config, env, settings, options.readFile)
  if (settings.problems.length > 0) throw new ConfigError([...settings.problems, ...config.identity.problems])
  return { ...config, risks }
}

/** Settings as a provider reads them: any of them by name, and secrets out of files. */
function providerSettings(settings: SettingsReader, { readFile }: ReadConfigOptions): SettingsSource {
  const source: SettingsSource = {
    text: (name) => settings.named(name),
    secret(name) {
      const file = settings.named(`${name}_FILE`)
      if (file === undefined) return settings.named(name)
      try {
        return readFile(file).trim()
      } catch {
        settings.problems.push(`${name}_FILE cannot be read`)
        return undefined
      }
    },
  }
  return source
}

/** What belongs to one mode only: real accounts and local ones must never meet. */
function findModeProblems({ mode, listen }: Pick<GateConfig, 'mode' | 'listen'>, env: Environment): string[] {
  if (mode === 'local') {
    const problems: string[] = []
    if (env.NODE_ENV === 'production') problems.push('--local refuses to run with NODE_ENV=production')
    if (!LOOPBACK_HOSTS.has(listen.host))
      problems.push('SEKISHO_HOST must be a loopback address with --local')
    return problems
  }
  return Object.keys(env)
    .filter((name) => /_EMULATOR_(?:HOST|HUB)$/.test(name) && env[name] !== '')
    .map((name) => `${name} is set: an emulator has no place in production`)
}

function readOrigin(settings: SettingsReader, mode: Mode): URL | null {
  const text = settings.text('SEKISHO_ORIGIN')
  if (text === undefined && mode === 'local') return null
  const origin = URL.parse(text ?? '')
  const isBare = origin !== null && `${origin.origin}/` === origin.href
  if (mode === 'production' && (!isBare || origin.protocol !== 'https:')) {
    settings.problems.push(
      'SEKISHO_ORIGIN must be an https origin without a path, as in https://docs.example.com',
    )
  }
  const isLoopback = isBare && origin.protocol === 'http:' && LOOPBACK_HOSTS.has(origin.hostname)
  if (mode === 'local' && !isLoopback)
    settings.problems.push('SEKISHO_ORIGIN must be an http loopback origin with --local')
  return origin
}

/** The policy that the settings name, for a command that needs nothing else of them. Throws `ConfigError`. */
export function readPolicyOnly(env: Environment, readFile: (path: string) => string): AccessPolicy {
  const { SEKISHO_POLICY_FILE, SEKISHO_ALLOWED_DOMAINS, SEKISHO_ALLOWED_EMAILS } = env
  const settings = new SettingsReader({
    SEKISHO_POLICY_FILE,
    SEKISHO_ALLOWED_DOMAINS,
    SEKISHO_ALLOWED_EMAILS,
  })
  const access = readAccess(settings, [])
  const { policy, problems } =
    'policy' in access ? { ...access, problems: [] } : readPolicyText(readFile(access.file))
  settings.problems.push(...problems.map((problem) => `SEKISHO_POLICY_FILE: ${problem}`))
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
        'SEKISHO_POLICY_FILE replaces SEKISHO_ALLOWED_DOMAINS and SEKISHO_ALLOWED_EMAILS',
      )
    return { file }
  }
  const { policy, problems } = readPolicy(isSet ? domains : defaultDomains, emails)
  settings.problems.push(...problems.map((problem) => `access policy: ${problem}`))
  if (!isSet && defaultDomains.length === 0) {
    settings.problems.push(
      'nobody is admitted: set SEKISHO_ALLOWED_DOMAINS, SEKISHO_ALLOWED_EMAILS or SEKISHO_POLICY_FILE',
    )
  }
  return { policy }
}

function readPublishing(settings: SettingsReader, readFile: (path: string) => string) {
  const rulesFile = settings.text('SEKISHO_PUBLISH_RULES_FILE') ?? null
  if (rulesFile !== null) {
    try {
      const problems: string[] = []
      readPublishRules(readFile(rulesFile), problems)
      settings.problems.push(...problems.map((problem) => `SEKISHO_PUBLISH_RULES_FILE: ${problem}`))
    } catch {
      settings.problems.push('SEKISHO_PUBLISH_RULES_FILE cannot be read')
    }
  }
  return { rulesFile, maxBytes: settings.count('SEKISHO_PUBLISH_MAX_MB', 2_048, 999_999) * 1_000_000 }
}

function readSessionLimits(settings: SettingsReader): SessionLimits {
  const limits = {
    idleMs: settings.duration('SEKISHO_SESSION_IDLE', 12 * 60 * MINUTE_MS),
    absoluteMs: settings.duration('SEKISHO_SESSION_ABSOLUTE', 7 * 24 * 60 * MINUTE_MS),
    reproofIntervalMs: settings.duration('SEKISHO_REPROOF_INTERVAL', 5 * MINUTE_MS),
    reproofGraceMs: settings.duration('SEKISHO_REPROOF_GRACE', 30 * MINUTE_MS),
  }
  if (limits.idleMs > limits.absoluteMs) {
    settings.problems.push('SEKISHO_SESSION_IDLE must not be longer than SEKISHO_SESSION_ABSOLUTE')
  }
  return limits
}

function readAddresses<T>(
  settings: SettingsReader,
  name: 'SEKISHO_TRUSTED_PROXIES' | 'SEKISHO_NETWORKS',
  read: (entries: readonly string[]) => T,
): T {
  try {
    return read(settings.list(name))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    settings.problems.push(`${name}: ${error.message}`)
    return read([])
  }
}

/** The secret for a command that needs no other setting. Throws `ConfigError`. */
export function readSecretOnly(env: Environment, readFile: (path: string) => string): string {
  const { SEKISHO_SECRET, SEKISHO_SECRET_FILE } = env
  const settings = new SettingsReader({ SEKISHO_SECRET, SEKISHO_SECRET_FILE })
  const secret = readSecret(settings, { mode: 'production', readFile })
  if (secret === null || settings.problems.length > 0) throw new ConfigError(settings.problems)
  return secret
}

function readSecret(settings: SettingsReader, options: ReadConfigOptions): string | null {
  const file = settings.text('SEKISHO_SECRET_FILE')
  const secret =
    file === undefined ? settings.text('SEKISHO_SECRET') : readSecretFile(file, settings, options)
  if (secret === undefined && options.mode === 'local') return null
  if ((secret ?? '').length < MIN_SECRET_CHARS) {
    settings.problems.push(
      `SEKISHO_SECRET (or the file SEKISHO_SECRET_FILE) must hold at least ${MIN_SECRET_CHARS} characters; ` +
        'make one with: openssl rand -base64 33',
    )
  }
  return secret ?? ''
}

function readSecretFile(file: string, settings: SettingsReader, options: ReadConfigOptions): string {
  try {
    return options.readFile(file).trim()
  } catch {
    settings.problems.push('SEKISHO_SECRET_FILE cannot be read')
    return ''
  }
}

function readLoginLanguage(settings: SettingsReader): LoginLanguage {
  const text = settings.text('SEKISHO_LOGIN_LANG') ?? 'ja'
  const language = LOGIN_LANGUAGES.find((known) => known === text)
  if (language === undefined) settings.problems.push('SEKISHO_LOGIN_LANG must be ja or en')
  return language ?? 'ja'
}

function readTimeZone(settings: SettingsReader): string {
  const zone = settings.text('SEKISHO_TIME_ZONE') ?? DEFAULT_TIME_ZONE
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    settings.problems.push('SEKISHO_TIME_ZONE must be a time zone such as Asia/Tokyo')
    return DEFAULT_TIME_ZONE
  }
}

function readLogLevel(settings: SettingsReader, fallback: LogLevel): LogLevel {
  const level = settings.text('SEKISHO_LOG_LEVEL') ?? fallback
  if (level === 'debug' || level === 'info' || level === 'warn' || level === 'error') return level
  settings.problems.push('SEKISHO_LOG_LEVEL must be debug, info, warn or error')
  return fallback
}
