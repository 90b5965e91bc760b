import type { Secrets } from '../state/secrets/index.ts'
import { problemOf } from '../texts/index.ts'
import type { GateConfig } from './gate-config.ts'
import { ConfigError, type Environment, type ReadFile, SettingsReader } from './settings.ts'

const MIN_SECRET_CHARS = 32

/** Reads the secret, and the one before it while it is being replaced. */
export function readSecrets(
  settings: SettingsReader,
  mode: GateConfig['mode'],
): Pick<GateConfig, 'secret' | 'previousSecret'> {
  const secret = readSecret(settings, mode)
  if (settings.text('SEKISHO_SECRET_PREVIOUS_FILE') === undefined) return { secret, previousSecret: null }
  const previousSecret = settings.file('SEKISHO_SECRET_PREVIOUS_FILE') ?? ''
  if (previousSecret.length < MIN_SECRET_CHARS || previousSecret === secret) {
    settings.problems.push(problemOf('bad_previous_secret', MIN_SECRET_CHARS))
  }
  return { secret, previousSecret }
}

/** The secrets for a command that needs no other setting. Throws `ConfigError`. */
export function readSecretsOnly(env: Environment, readFile: ReadFile): Secrets {
  const { SEKISHO_SECRET, SEKISHO_SECRET_FILE, SEKISHO_SECRET_PREVIOUS_FILE, CREDENTIALS_DIRECTORY } = env
  const own = { SEKISHO_SECRET, SEKISHO_SECRET_FILE, SEKISHO_SECRET_PREVIOUS_FILE, CREDENTIALS_DIRECTORY }
  const settings = new SettingsReader(own, readFile)
  const { secret, previousSecret } = readSecrets(settings, 'production')
  if (secret === null || settings.problems.length > 0) throw new ConfigError(settings.problems)
  return { current: secret, previous: previousSecret }
}

function readSecret(settings: SettingsReader, mode: GateConfig['mode']): string | null {
  const isInFile = settings.text('SEKISHO_SECRET_FILE') !== undefined
  const secret = settings.secret('SEKISHO_SECRET')
  if (secret === undefined && !isInFile && mode === 'local') return null
  if ((secret ?? '').length < MIN_SECRET_CHARS) {
    settings.problems.push(problemOf('short_secret', MIN_SECRET_CHARS))
  }
  return secret ?? ''
}
