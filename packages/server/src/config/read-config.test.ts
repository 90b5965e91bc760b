import { describe, expect, it } from 'vitest'
import { readConfig } from './read-config.ts'
import { ConfigError, type Environment } from './settings.ts'

const PRODUCTION: Environment = {
  SEKISHO_ORIGIN: 'https://portal.test',
  SEKISHO_ALLOWED_DOMAINS: 'example.co.jp',
  SEKISHO_SECRET: 'x'.repeat(32),
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'portal.test',
  FIREBASE_PROJECT_ID: 'portal-1234',
}

const noFile = () => {
  throw new Error('no file')
}
const production = (changes: Environment) =>
  readConfig({ ...PRODUCTION, ...changes }, { mode: 'production', readFile: noFile })
const local = (env: Environment) =>
  readConfig(env, { mode: 'local', readFile: noFile, localDomains: ['sekisho.example'] })

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(String)
    throw error
  }
  return []
}

const REFUSED: readonly (readonly [row: string, changes: Environment, problem: RegExp])[] = [
  ['no origin', { SEKISHO_ORIGIN: undefined }, /SEKISHO_ORIGIN/],
  ['http origin', { SEKISHO_ORIGIN: 'http://portal.test' }, /SEKISHO_ORIGIN/],
  ['origin with a path', { SEKISHO_ORIGIN: 'https://portal.test/docs' }, /SEKISHO_ORIGIN/],
  ['origin with a user', { SEKISHO_ORIGIN: 'https://a@portal.test' }, /SEKISHO_ORIGIN/],
  ['55 no access policy', { SEKISHO_ALLOWED_DOMAINS: '' }, /nobody is admitted/],
  ['55 wildcard policy', { SEKISHO_ALLOWED_DOMAINS: '*' }, /not a domain/],
  ['55 two policies', { SEKISHO_POLICY_FILE: '/p.json' }, /replaces/],
  ['55 emulator variable', { FIREBASE_AUTH_EMULATOR_HOST: 'localhost:9099' }, /EMULATOR_HOST is set/],
  ['55 emulator hub', { FIREBASE_EMULATOR_HUB: 'localhost:4400' }, /EMULATOR_HUB is set/],
  ['55 demo project', { FIREBASE_PROJECT_ID: 'demo-sekisho' }, /must not start with demo-/],
  ['short secret', { SEKISHO_SECRET: 'short' }, /at least 32 characters/],
  ['no secret', { SEKISHO_SECRET: undefined }, /at least 32 characters/],
  ['unreadable secret', { SEKISHO_SECRET_FILE: '/none' }, /SECRET_FILE cannot be read/],
  ['no endpoint', { SEKISHO_EMBEDDINGS_URL: 'ai.example.com' }, /SEKISHO_EMBEDDINGS_URL must be/],
  [
    'unreadable key of embeddings',
    { SEKISHO_EMBEDDINGS_KEY_FILE: '/none' },
    /EMBEDDINGS_KEY_FILE cannot be read/,
  ],
  ['unknown setting', { SEKISHO_ALLOW_EVERYONE: '1' }, /SEKISHO_ALLOW_EVERYONE is not a setting/],
  ['bad port', { PORT: '99999' }, /PORT must be a port/],
  ['bad duration', { SEKISHO_SESSION_IDLE: '5' }, /must be a duration/],
  ['bad keep-alive', { SEKISHO_KEEP_ALIVE: 'forever' }, /SEKISHO_KEEP_ALIVE must be a duration/],
  ['zero duration', { SEKISHO_REVALIDATION_INTERVAL: '0m' }, /must be a duration/],
  ['idle beyond absolute', { SEKISHO_SESSION_IDLE: '8d' }, /must not be longer/],
  ['bad proxy', { SEKISHO_TRUSTED_PROXIES: 'proxy.local' }, /SEKISHO_TRUSTED_PROXIES/],
  ['bad count', { SEKISHO_SEARCH_LOG_DAYS: '-1' }, /SEKISHO_SEARCH_LOG_DAYS must be a whole number/],
  [
    'wide grant',
    { SEKISHO_CSP_ALLOW: 'img https:' },
    /SEKISHO_CSP_ALLOW: img "https:" must be an https origin/,
  ],
  ['a time zone that there is not', { SEKISHO_TIME_ZONE: 'Tokyo' }, /SEKISHO_TIME_ZONE/],
  ['a language the login page does not speak', { SEKISHO_LOGIN_LANG: 'fr' }, /SEKISHO_LOGIN_LANG/],
  ['a host that is none', { SEKISHO_HOST: 'not_a_host' }, /SEKISHO_HOST=not_a_host is neither/],
  [
    'a metrics host that is none',
    { SEKISHO_METRICS_PORT: '1', SEKISHO_METRICS_HOST: 'a b' },
    /SEKISHO_METRICS_HOST=a b/,
  ],
  ['one port for two', { SEKISHO_PORT: '3000', SEKISHO_METRICS_PORT: '3000' }, /are both 3000/],
  ['the usual port for two', { SEKISHO_METRICS_PORT: '3000' }, /are both 3000/],
  [
    'a keep-alive that the proxy outlives',
    { SEKISHO_KEEP_ALIVE: '1s' },
    /SEKISHO_KEEP_ALIVE makes no sense below 10s/,
  ],
  ['a keep-alive for days', { SEKISHO_KEEP_ALIVE: '7d' }, /SEKISHO_KEEP_ALIVE makes no sense above 1h/],
  ['a trail of an hour', { SEKISHO_AUDIT_KEEP: '1h' }, /SEKISHO_AUDIT_KEEP makes no sense below 1d/],
  [
    'no room for publishing',
    { SEKISHO_PUBLISH_MAX_MB: '0' },
    /SEKISHO_PUBLISH_MAX_MB must be a whole number from 1/,
  ],
  ['a proxy with a port', { SEKISHO_TRUSTED_PROXIES: '127.0.0.1:8080' }, /"127.0.0.1:8080"/],
  ['any proxy', { SEKISHO_TRUSTED_PROXIES: '*' }, /"\*"/],
  ['a prefix that is too long', { SEKISHO_TRUSTED_PROXIES: '10.0.0.0/33' }, /"10.0.0.0\/33"/],
  [
    'bits behind the prefix',
    { SEKISHO_TRUSTED_PROXIES: '10.1.2.3/8' },
    /"10.1.2.3\/8" has bits behind its prefix/,
  ],
  ['a proxy without an address', { SEKISHO_TRUSTED_PROXIES: '0.0.0.0' }, /"0.0.0.0" is no usable address/],
  ['a mapped proxy', { SEKISHO_TRUSTED_PROXIES: '::ffff:10.0.0.1' }, /"::ffff:10.0.0.1" never matches/],
  ['the second proxy of two', { SEKISHO_TRUSTED_PROXIES: 'one,two' }, /"two"/],
  ['bad log level', { SEKISHO_LOG_LEVEL: 'loud' }, /SEKISHO_LOG_LEVEL/],
]

describe('production', () => {
  it('reads a complete environment', () => {
    const config = production({})
    expect(config.origin?.origin).toBe('https://portal.test')
    expect(config.identity.providers.map(({ summary }) => summary)).toEqual(['portal-1234'])
    expect(config.sessions).toMatchObject({ idleMs: 43_200_000, revalidationIntervalMs: 300_000 })
  })

  it.each(REFUSED)('refuses %s', (_row, changes, problem) => {
    expect(problemsOf(() => production(changes)).join('\n')).toMatch(problem)
  })

  it('reports every problem at once', () => {
    const changes = { SEKISHO_ORIGIN: '', SEKISHO_SECRET: '', SEKISHO_ALLOWED_DOMAINS: '', SEKISHO_NOPE: '1' }
    expect(problemsOf(() => production(changes))).toHaveLength(4)
  })

  it('never repeats the secret in a problem', () => {
    expect(problemsOf(() => production({ SEKISHO_SECRET: 'hunter2' })).join()).not.toContain('hunter2')
  })

  it.each(['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_PROJECT_ID'])(
    'starts without identity when %s is missing or the text undefined, and names it',
    (name) => {
      for (const value of [undefined, '', 'undefined']) {
        const { identity } = production({ [name]: value })
        expect(identity.providers).toEqual([])
        expect(identity.problems.join()).toContain(name)
      }
    },
  )

  it('names every kind of provider when none is set', () => {
    const none = { FIREBASE_API_KEY: '', FIREBASE_AUTH_DOMAIN: undefined, FIREBASE_PROJECT_ID: undefined }
    const { identity } = production(none)
    expect(identity.providers).toEqual([])
    expect(identity.problems.map(({ code }) => code)).toEqual(['no_provider'])
    expect(identity.problems.join()).toMatch(
      /SEKISHO_IDENTITY=oidc.*SEKISHO_OIDC_ISSUER.*FIREBASE_PROJECT_ID/,
    )
  })

  it('knows the project of live sessions while another setting is wrong', () => {
    expect(production({ FIREBASE_API_KEY: 'undefined' }).identity.owner.projectId).toBe('portal-1234')
    expect(production({ FIREBASE_PROJECT_ID: 'No Project' }).identity.owner.projectId).toBe('')
  })
})

describe('local', () => {
  it('needs no settings at all', () => {
    const config = local({})
    expect(config.origin).toBeNull()
    expect(config.identity.providers.map(({ summary }) => summary)).toEqual(['demo-sekisho'])
    expect(config.access).toMatchObject({ policy: { domains: new Set(['sekisho.example']) } })
  })

  it.each([
    ['NODE_ENV=production', { NODE_ENV: 'production' }, /NODE_ENV/],
    ['a public listener', { SEKISHO_HOST: '0.0.0.0' }, /loopback/],
    ['a real project', { FIREBASE_PROJECT_ID: 'portal-1234' }, /demo-/],
    ['a public origin', { SEKISHO_ORIGIN: 'https://portal.test' }, /loopback origin/],
  ])('refuses %s', (_row, env, problem) => {
    expect(problemsOf(() => local(env)).join('\n')).toMatch(problem)
  })
})

it('takes settings under their earlier names, with a warning for each', () => {
  const { sessions, grants, renamed } = production({
    SEKISHO_REPROOF_INTERVAL: '7m',
    SEKISHO_GRANTS: 'img https://a.example',
  })
  expect([sessions.revalidationIntervalMs, grants.length]).toEqual([420_000, 1])
  expect(renamed.map(String)).toEqual([
    'SEKISHO_GRANTS is called SEKISHO_CSP_ALLOW now; the earlier name works until the next minor version',
    expect.stringContaining('SEKISHO_REVALIDATION_INTERVAL'),
  ])
  const both = production({ SEKISHO_REPROOF_INTERVAL: '7m', SEKISHO_REVALIDATION_INTERVAL: '6m' })
  expect(both.sessions.revalidationIntervalMs).toBe(360_000)
  expect(production({}).renamed).toEqual([])
})
