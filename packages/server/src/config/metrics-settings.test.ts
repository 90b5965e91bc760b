import { expect, it } from 'vitest'
import { readMetrics } from './metrics-settings.ts'
import { SettingsReader } from './settings.ts'

const FILES: Readonly<Record<string, string>> = {
  '/token': `${'a'.repeat(32)}\n`,
  '/short': 'a',
  '/two': `${'a'.repeat(40)} b`,
}

function read(env: Readonly<Record<string, string>>) {
  const settings = new SettingsReader(env, (path) => {
    const text = FILES[path]
    if (text === undefined) throw new Error('no such file')
    return text
  })
  const config = readMetrics(settings)
  return { config, problems: settings.problems.map(String) }
}

const PORT = { SEKISHO_METRICS_PORT: '9464' }
const ANYWHERE = { ...PORT, SEKISHO_METRICS_HOST: '0.0.0.0' }

it.each([
  [{}, null],
  [PORT, { host: '127.0.0.1', port: 9464, token: null, networks: null }],
  [
    { ...ANYWHERE, SEKISHO_METRICS_TOKEN_FILE: '/token' },
    { host: '0.0.0.0', token: 'a'.repeat(32) },
  ],
  [
    { ...ANYWHERE, SEKISHO_METRICS_NETWORKS: '10.0.0.0/8, 192.0.2.7' },
    { host: '0.0.0.0', token: null },
  ],
])('%j is well', (env, expected) => {
  const { config, problems } = read(env)
  expect(problems).toEqual([])
  if (expected === null) expect(config).toBeNull()
  else expect(config).toMatchObject(expected)
})

it.each([
  ['beyond this machine to everybody', ANYWHERE, 'to everybody'],
  ['without a port', { SEKISHO_METRICS_TOKEN_FILE: '/token' }, 'does nothing without'],
  ['a short token', { ...ANYWHERE, SEKISHO_METRICS_TOKEN_FILE: '/short' }, 'at least 32'],
  ['a token of two words', { ...ANYWHERE, SEKISHO_METRICS_TOKEN_FILE: '/two' }, 'without spaces'],
  ['no file', { ...ANYWHERE, SEKISHO_METRICS_TOKEN_FILE: '/none' }, 'cannot be read'],
  ['every network', { ...ANYWHERE, SEKISHO_METRICS_NETWORKS: '0.0.0.0/0' }, 'every address'],
  ['every network of IPv6', { ...ANYWHERE, SEKISHO_METRICS_NETWORKS: '::/0' }, 'every address'],
  ['no network', { ...ANYWHERE, SEKISHO_METRICS_NETWORKS: 'prometheus' }, 'prometheus'],
])('%s is a problem', (_row, env, problem) => {
  expect(read(env).problems.join()).toContain(problem)
})
