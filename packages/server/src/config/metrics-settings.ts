import type { BlockList } from 'node:net'
import type { Message } from '@sekisho/contract/language'
import { LOOPBACK_HOSTS, readAddressBlocks } from '../kernel/client/client-address.ts'
import { problemOf } from '../texts/index.ts'
import type { MetricsConfig } from './gate-config.ts'
import type { SettingsReader } from './settings.ts'

const MIN_TOKEN_CHARS = 32

/** Reads the metrics settings: off without a port, and beyond this machine only for named networks or a token. */
export function readMetrics(settings: SettingsReader): MetricsConfig | null {
  const port = settings.port('SEKISHO_METRICS_PORT')
  const host = settings.textOrDefault('SEKISHO_METRICS_HOST')
  const token = readToken(settings)
  const networks = readNetworks(settings)
  if (port === undefined) {
    const { problems } = settings
    for (const name of ['HOST', 'NETWORKS', 'TOKEN_FILE'] as const)
      if (settings.text(`SEKISHO_METRICS_${name}`) !== undefined)
        problems.push(problemOf('needs', `SEKISHO_METRICS_${name}`, 'SEKISHO_METRICS_PORT'))
    return null
  }
  if (!LOOPBACK_HOSTS.has(host) && token === null && networks === null)
    settings.problems.push(problemOf('metrics_public', host))
  return { host, port, token, networks }
}

/** Null without one; empty where it is not fit to be one. */
function readToken(settings: SettingsReader): string | null {
  const name = 'SEKISHO_METRICS_TOKEN_FILE'
  if (settings.text(name) === undefined) return null
  const token = settings.file(name)
  if (token === undefined) return ''
  if (/^[\x21-\x7e]+$/.test(token) && token.length >= MIN_TOKEN_CHARS) return token
  settings.problems.push(problemOf('short_metrics_token', MIN_TOKEN_CHARS))
  return ''
}

function readNetworks(settings: SettingsReader): BlockList | null {
  const name = 'SEKISHO_METRICS_NETWORKS'
  const entries = settings.list(name)
  if (entries.length === 0) return null
  const problems: Message[] = []
  const networks = readAddressBlocks(entries, problems)
  for (const entry of entries)
    if (/\/0+$/.test(entry)) problems.push(problemOf('every_address', JSON.stringify(entry)))
  settings.problems.push(...problems.map((problem) => problemOf('setting', name, problem)))
  return networks
}
