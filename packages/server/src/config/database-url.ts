import { settingProblemOf } from '@sekisho/contract/setting-problem'
import { readHosts } from '../storage/database/hosts.ts'
import { problemOf } from '../texts/index.ts'
import { ConfigError, type Environment, type ReadFile, SettingsReader } from './settings.ts'

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['', 'localhost', '127.0.0.1', '[::1]'])

/** Settings that lead to a database; each also with `_FILE` behind it. */
const NAMES = ['SEKISHO_DATABASE_URL', 'SEKISHO_DATABASE_LISTEN_URL'] as const

/** The database that gates share. */
interface DatabaseUrls {
  /** Of one server or several, or of a pooler before them; null without a database. */
  readonly databaseUrl: string | null
  /** Of the servers themselves, where the other one leads to a pooler. */
  readonly databaseListenUrl: string | null
}

/** Reads both. The URLs hold passwords, so no problem repeats one. */
export function readDatabaseUrls(settings: SettingsReader): DatabaseUrls {
  const [databaseUrl, databaseListenUrl] = NAMES.map((name) => readDatabaseUrl(name, settings))
  if (databaseUrl === null && databaseListenUrl !== null)
    settings.problems.push(problemOf('listen_url_alone'))
  return { databaseUrl: databaseUrl ?? null, databaseListenUrl: databaseListenUrl ?? null }
}

/** The one that an operator's command uses, which goes past a pooler and needs no other setting. Throws `ConfigError`. */
export function readDatabaseUrlOnly(env: Environment, readFile: ReadFile): string | null {
  const names = [...NAMES.flatMap((name) => [name, `${name}_FILE`]), 'CREDENTIALS_DIRECTORY']
  const own = names.map((name) => [name, env[name]])
  const settings = new SettingsReader(Object.fromEntries(own), readFile)
  const { databaseUrl, databaseListenUrl } = readDatabaseUrls(settings)
  if (settings.problems.length > 0) throw new ConfigError(settings.problems)
  return databaseListenUrl ?? databaseUrl
}

function readDatabaseUrl(name: (typeof NAMES)[number], settings: SettingsReader): string | null {
  if (settings.text(`${name}_FILE`) !== undefined && settings.text(name) !== undefined)
    settings.problems.push(settingProblemOf('replaces', `${name}_FILE`, [name]))
  const text = settings.secret(name)
  if (text === undefined) return null
  const { urls, problem } = readHosts(text)
  if (urls === null) {
    settings.problems.push(problemOf(PROBLEMS[problem], name))
    return null
  }
  if (!urls.every(isTransportClear)) {
    settings.problems.push(problemOf('unsafe_database_url', name))
  }
  return text
}

const PROBLEMS = {
  shape: 'bad_database_url',
  'session-attrs': 'standby_database_url',
  hosts: 'bad_database_hosts',
} as const

function isTransportClear(text: string): boolean {
  const { hostname, searchParams } = new URL(text)
  const modes = searchParams.getAll('sslmode')
  const isLocal = LOOPBACK_HOSTS.has(hostname) && (searchParams.get('host') ?? '/').startsWith('/')
  return modes.length === 1
    ? modes[0] === 'verify-full' || modes[0] === 'disable'
    : isLocal && modes.length === 0
}
