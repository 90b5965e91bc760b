import type { ModelEndpoint } from '../answers/model-endpoint.ts'
import { LOOPBACK_HOSTS } from '../kernel/client/client-address.ts'
import { problemOf } from '../texts/index.ts'
import type { SettingsReader } from './settings.ts'

/** Settings of answers; only the operator has them, no release and no publisher. */
export interface AnswerConfig {
  readonly endpoint: ModelEndpoint
  /** Readers cannot ask; sentences in the search are rewritten. */
  readonly rewritesOnly: boolean
  readonly tokensADay: number
  readonly firstTextMs: number
  readonly totalMs: number
}

const AUTHS = ['bearer', 'api-key'] as const
const USES = ['all', 'rewrite'] as const

/** Reads the settings of answers; null unless an endpoint is named. */
export function readAnswerSettings(settings: SettingsReader): AnswerConfig | null {
  const url = settings.text('SEKISHO_ANSWERS_URL')
  const auth = settings.choice('SEKISHO_ANSWERS_AUTH', AUTHS)
  const model = settings.text('SEKISHO_ANSWERS_MODEL') ?? ''
  const key = settings.file('SEKISHO_ANSWERS_KEY_FILE')
  const config = {
    rewritesOnly: settings.choice('SEKISHO_ANSWERS', USES) === 'rewrite',
    tokensADay: settings.count('SEKISHO_ANSWERS_TOKENS_A_DAY'),
    firstTextMs: settings.duration('SEKISHO_ANSWERS_FIRST_TOKEN'),
    totalMs: settings.duration('SEKISHO_ANSWERS_TIMEOUT'),
  }
  if (url === undefined) return null
  const hosts = settings.list('SEKISHO_ANSWERS_PRIVATE_HOSTS')
  if (!isAllowedAddress(url, hosts)) settings.problems.push(problemOf('bad_answers_url'))
  if (model === '') settings.problems.push(problemOf('no_answers_model'))
  if (key !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(key))
    settings.problems.push(problemOf('bad_answers_key'))
  const header = auth === 'bearer' ? 'Authorization' : 'api-key'
  const value = auth === 'bearer' ? `Bearer ${key}` : key
  return { ...config, endpoint: { url, model, key: key === undefined ? null : [header, value ?? ''] } }
}

/** HTTPS everywhere; without it loopback, and hosts that the operator named as private. */
function isAllowedAddress(text: string, privateHosts: readonly string[]): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (!url.pathname.endsWith('/chat/completions')) return false
  const isPrivate = LOOPBACK_HOSTS.has(url.hostname) || privateHosts.includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isPrivate)
}
