import type { Secrets } from '@sekisho/state/secrets'
import { problemOf } from '../texts/index.ts'
import type { GateConfig } from './gate-config.ts'
import { ConfigError, type Environment, SettingsReader } from './settings.ts'

interface SecretOptions {
  readonly mode: GateConfig['mode']
  readonly readFile: (path: string) => string
}

const MIN_SECRET_CHARS = 32

/** Reads the secret, and the one before it while it is being replaced. */
export function readSecrets(
  settings: SettingsReader,
  options: SecretOptions,
): Pick<GateConfig, 'secret' | 'previousSecret'> {
  const secret = readSecret(settings, options)
  const file = settings.text('SEKISHO_SECRET_PREVIOUS_FILE')
  if (file === undefined) return { secret, previousSecret: null }
  const previousSecret = readSecretFile(file, 'SEKISHO_SECRET_PREVIOUS_FILE', settings, options)
  if (previousSecret.length < MIN_SECRET_CHARS || previousSecret === secret) {
    settings.problems.push(problemOf('bad_previous_secret', MIN_SECRET_CHARS))
  }
  return { secret, previousSecret }
}

/** The secrets for a command that needs no other setting. Throws `ConfigError`. */
export function readSecretsOnly(env: Environment, readFile: (path: string) => string): Secrets {
  const { SEKISHO_SECRET, SEKISHO_SECRET_FILE, SEKISHO_SECRET_PREVIOUS_FILE } = env
  const settings = new SettingsReader({ SEKISHO_SECRET, SEKISHO_SECRET_FILE, SEKISHO_SECRET_PREVIOUS_FILE })
  const { secret, previousSecret } = readSecrets(settings, { mode: 'production', readFile })
  if (secret === null || settings.problems.length > 0) throw new ConfigError(settings.problems)
  return { current: secret, previous: previousSecret }
}

function readSecret(settings: SettingsReader, options: SecretOptions): string | null {
  const file = settings.text('SEKISHO_SECRET_FILE')
  const secret =
    file === undefined
      ? settings.text('SEKISHO_SECRET')
      : readSecretFile(file, 'SEKISHO_SECRET_FILE', settings, options)
  if (secret === undefined && options.mode === 'local') return null
  if ((secret ?? '').length < MIN_SECRET_CHARS) {
    settings.problems.push(problemOf('short_secret', MIN_SECRET_CHARS))
  }
  return secret ?? ''
}

function readSecretFile(
  file: string,
  name: string,
  settings: SettingsReader,
  { readFile }: SecretOptions,
): string {
  try {
    return readFile(file).trim()
  } catch {
    settings.problems.push(problemOf('unreadable_file', name))
    return ''
  }
}
