import { describe, expect, it } from 'vitest'
import { readConfig } from './read-config.ts'
import { refuseRisks } from './risky-settings.ts'
import { ConfigError, type Environment } from './settings.ts'

const SOUND: Environment = {
  SEKISHO_ORIGIN: 'https://portal.test',
  SEKISHO_ALLOWED_DOMAINS: 'example.co.jp',
  SEKISHO_SECRET: 'kJ8v2QzR0pXw5TnYb7LdGh3CmEsA9uFi6oV1',
  SEKISHO_HOST: '0.0.0.0',
  SEKISHO_TRUSTED_PROXIES: '10.0.0.5,35.191.0.0/16,2600:1901::/48',
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'portal.test',
  FIREBASE_PROJECT_ID: 'portal-1234',
}

const read = (changes: Environment) =>
  readConfig({ ...SOUND, ...changes }, { mode: 'production', readFile: () => '{"domains":["gmail.com"]}' })
const risksOf = (changes: Environment) => read(changes).risks.map(({ problem }) => String(problem))
/** Refusal of a start: null when nothing prevents it. */
function refusalOf(changes: Environment): string | null {
  try {
    refuseRisks(read(changes), () => {})
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

describe('risky settings', () => {
  it('are none in a sound production', () => {
    expect(risksOf({})).toEqual([])
  })

  it.each([
    ['no proxy is named', { SEKISHO_TRUSTED_PROXIES: '' }, 'must name the proxy'],
    ['every IPv4 address is a proxy', { SEKISHO_TRUSTED_PROXIES: '0.0.0.0/0' }, 'must not hold 0.0.0.0/0'],
    ['half of them are', { SEKISHO_TRUSTED_PROXIES: '10.0.0.5,128.0.0.0/1' }, 'must not hold 128.0.0.0/1'],
    [
      'nobody who can connect is a proxy',
      { SEKISHO_HOST: '127.0.0.1', SEKISHO_TRUSTED_PROXIES: '10.0.0.5' },
      'SEKISHO_HOST=127.0.0.1 takes connections from this machine alone',
    ],
    [
      'the database is spoken to in the clear',
      { SEKISHO_DATABASE_URL: 'postgres://gate@db.example.com/sekisho?sslmode=disable' },
      'db.example.com is another machine',
    ],
    [
      'the second of two is',
      { SEKISHO_DATABASE_URL: 'postgres://gate@localhost,db-2.example.com/sekisho?sslmode=disable' },
      'db-2.example.com is another machine',
    ],
    [
      'the same with the host as a parameter',
      { SEKISHO_DATABASE_URL: 'postgres:///sekisho?host=db.example.com&sslmode=disable' },
      'db.example.com is another machine',
    ],
    [
      'questions are sent in the clear',
      { SEKISHO_EMBEDDINGS_URL: 'http://ai.example.com/v1/embeddings' },
      'ai.example.com is another machine',
    ],
    ['every IPv6 address is a proxy', { SEKISHO_TRUSTED_PROXIES: '::/0' }, 'must not hold ::/0'],
    ['certificates are not checked', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_EXTRA_CA_CERTS'],
    [
      'accounts are proven once in years',
      { SEKISHO_REVALIDATION_INTERVAL: '3650d' },
      'not be longer than 1h',
    ],
    ['an outage is outlived for years', { SEKISHO_REVALIDATION_GRACE: '3650d' }, 'not be longer than 24h'],
    [
      'sessions live for years',
      { SEKISHO_SESSION_IDLE: '900d', SEKISHO_SESSION_ABSOLUTE: '900d' },
      'not be longer than 30d',
    ],
    ['accounts are proven every second', { SEKISHO_REVALIDATION_INTERVAL: '1s' }, 'not be shorter than 30s'],
    ['no outage is outlived', { SEKISHO_REVALIDATION_GRACE: '1s' }, 'not be shorter than 1m'],
    ['nobody finishes a page', { SEKISHO_SESSION_IDLE: '1s' }, 'not be shorter than 5m'],
  ])('are said when %s', (_row, changes, sentence) => {
    expect(risksOf(changes).join('\n')).toContain(sentence)
  })

  it.each(['gmail.com', 'yahoo.co.jp', 'outlook.com', 'icloud.com', 'docomo.ne.jp', 'softbank.ne.jp'])(
    'are said when everybody at %s is admitted',
    (domain) => {
      expect(risksOf({ SEKISHO_ALLOWED_DOMAINS: `example.co.jp,${domain}` })).toEqual([
        expect.stringContaining(`${domain} is a public mail service`),
      ])
      expect(risksOf({ SEKISHO_ALLOWED_EMAILS: `someone@${domain}` })).toEqual([])
    },
  )
})

describe('a gate with risky settings', () => {
  const EVERYTHING = {
    SEKISHO_TRUSTED_PROXIES: '0.0.0.0/0',
    SEKISHO_ALLOWED_DOMAINS: 'gmail.com',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  }

  it.each<[what: string, changes: Environment, code: string]>([
    ['everybody is one address', { SEKISHO_TRUSTED_PROXIES: '' }, 'no-proxy'],
    ['anybody may claim any address', { SEKISHO_TRUSTED_PROXIES: '0.0.0.0/0' }, 'wide-proxies'],
    ['anybody can become a reader', { SEKISHO_ALLOWED_DOMAINS: 'gmail.com' }, 'public-mail'],
    [
      'a policy file admits anybody',
      { SEKISHO_ALLOWED_DOMAINS: '', SEKISHO_POLICY_FILE: '/policy.json' },
      'public-mail',
    ],
    [
      'anybody can read what goes to the database',
      { SEKISHO_DATABASE_URL: 'postgres://gate@db.example.com/sekisho?sslmode=disable' },
      'clear-database',
    ],
    ['anybody can pose as the identity service', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'unchecked-tls'],
  ])('does not start when %s, unless that is accepted by name', (_row, changes, code) => {
    expect(refusalOf(changes)).toContain(`set SEKISHO_ACCEPT_RISKS=${code}`)
    expect(refusalOf({ ...changes, SEKISHO_ACCEPT_RISKS: code })).toBeNull()
    expect(risksOf({ ...changes, SEKISHO_ACCEPT_RISKS: code })).toHaveLength(1) // and still said
  })

  it('names every risk at once, and takes none for another', () => {
    const codes = 'wide-proxies,public-mail,unchecked-tls'
    expect(refusalOf(EVERYTHING)).toContain(`SEKISHO_ACCEPT_RISKS=${codes}`)
    expect(refusalOf({ ...EVERYTHING, SEKISHO_ACCEPT_RISKS: 'no-proxy,public-mail' })).toContain(
      'SEKISHO_ACCEPT_RISKS=wide-proxies,unchecked-tls',
    )
    expect(() => read({ SEKISHO_ACCEPT_RISKS: 'all' })).toThrow('"all" is none of no-proxy')
  })

  it('starts with long sessions, which check refuses', () => {
    expect(refusalOf({ SEKISHO_REVALIDATION_GRACE: '100d' })).toBeNull()
  })
})
