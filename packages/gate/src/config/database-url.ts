import { ConfigError, type Environment, SettingsReader } from './settings.ts'

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['', 'localhost', '127.0.0.1', '[::1]'])
const SHAPE = 'a URL such as postgres://gate@db.example.com/sekisho?sslmode=verify-full'

/** The database that gates share: null without one. The URL holds a password, so no problem repeats it. */
export function readDatabaseUrl(settings: SettingsReader, readFile: (path: string) => string): string | null {
  const text = readText(settings, readFile)
  if (text === undefined) return null
  const name = 'SEKISHO_DATABASE_URL'
  const url = URL.parse(text)
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    settings.problems.push(`${name} must be ${SHAPE}`)
    return null
  }
  const modes = url.searchParams.getAll('sslmode')
  const isLocal = LOOPBACK_HOSTS.has(url.hostname) && (url.searchParams.get('host') ?? '/').startsWith('/')
  const isClear = modes.length === 1 && (modes[0] === 'verify-full' || modes[0] === 'disable')
  if (!isClear && !(isLocal && modes.length === 0)) {
    settings.problems.push(
      `${name} must say sslmode=verify-full, or sslmode=disable where nobody else can listen: what other modes check differs from one program to the next`,
    )
  }
  return text
}

/** The same for a command that needs no other setting. Throws `ConfigError`. */
export function readDatabaseUrlOnly(env: Environment, readFile: (path: string) => string): string | null {
  const { SEKISHO_DATABASE_URL, SEKISHO_DATABASE_URL_FILE } = env
  const settings = new SettingsReader({ SEKISHO_DATABASE_URL, SEKISHO_DATABASE_URL_FILE })
  const url = readDatabaseUrl(settings, readFile)
  if (settings.problems.length > 0) throw new ConfigError(settings.problems)
  return url
}

function readText(settings: SettingsReader, readFile: (path: string) => string): string | undefined {
  const file = settings.text('SEKISHO_DATABASE_URL_FILE')
  const text = settings.text('SEKISHO_DATABASE_URL')
  if (file === undefined) return text
  if (text !== undefined) settings.problems.push('SEKISHO_DATABASE_URL_FILE replaces SEKISHO_DATABASE_URL')
  try {
    return readFile(file).trim()
  } catch {
    settings.problems.push('SEKISHO_DATABASE_URL_FILE cannot be read')
    return undefined
  }
}
