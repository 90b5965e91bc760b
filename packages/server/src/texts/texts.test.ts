import { Message } from '@sekisho/contract/language'
import { describe, expect, it } from 'vitest'
import { readRules } from '../access/policy-rules.ts'
import { readPolicyText } from '../access/policy-source.ts'
import { readPublishRules } from '../config/publish-rules.ts'
import { readConfig } from '../config/read-config.ts'
import { findRenamed } from '../config/renamed-settings.ts'
import { ConfigError, type Environment } from '../config/settings.ts'
import { TEXTS as IDENTITY } from '../identity/texts/index.ts'
import { TEXTS as FRAME } from '../kernel/texts/index.ts'
import { en } from './en/index.ts'

const GOOD = {
  SEKISHO_ORIGIN: 'https://docs.example.co.jp',
  FIREBASE_API_KEY: 'key',
  FIREBASE_PROJECT_ID: 'docs-example',
  FIREBASE_AUTH_DOMAIN: 'docs.example.co.jp',
  SEKISHO_ALLOWED_DOMAINS: 'example.co.jp',
  SEKISHO_SECRET: 'q8Zr2LmX0vTn5Yb7KcWd1HsGf4PjUe9A',
  SEKISHO_TRUSTED_PROXIES: '127.0.0.1',
}
const OIDC = {
  SEKISHO_IDENTITY: 'oidc',
  SEKISHO_OIDC_ISSUER: 'https://accounts.google.com',
  SEKISHO_OIDC_CLIENT_ID: 'portal',
  SEKISHO_OIDC_CLIENT_SECRET: 'secret',
}
const SECOND = {
  SEKISHO_OIDC_2_ISSUER: 'https://accounts.google.com',
  SEKISHO_OIDC_2_CLIENT_ID: 'portal',
  SEKISHO_OIDC_2_CLIENT_SECRET: 'secret',
}

const readFile = (path: string) => {
  if (path === '/short') return 'short'
  if (path === '/multi-line') return 'one\ntwo'
  throw new Error('no such file')
}

/** Everything that the gate finds wrong with settings. */
function problemsOf(changes: Environment, mode: 'production' | 'local' = 'production'): readonly Message[] {
  const env = mode === 'local' ? changes : { ...GOOD, ...changes }
  try {
    const { risks, identity, origin } = readConfig(env, { mode, readFile, localDomains: ['a.example'] })
    const ofProviders = identity.providers.flatMap((one) => (origin === null ? [] : one.findProblems(origin)))
    return [...identity.problems, ...ofProviders, ...risks.map(({ problem }) => problem)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.filter((problem) => typeof problem !== 'string')
  }
}

function ruleProblems(change: object): readonly Message[] {
  const problems: Message[] = []
  const rule = { issuer: 'https://ci.test', repository_id: '4711', ref: 'refs/heads/main', may: ['publish'] }
  readPublishRules(JSON.stringify({ rules: [{ ...rule, ...change }] }), problems)
  return problems
}

/** Whole sentences of Japanese; of English nothing but names, values and what they are called in files. */
function expectJapanese(problems: readonly Message[]): void {
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) {
    expect(problem.in('ja')).toMatch(/[ぁ-ん][^。]*。$/)
    expect(problem.in('ja')).not.toMatch(/\b(?:must|is|are|the|with|cannot)\b/)
    expect(problem.in('en')).not.toMatch(/[ぁ-ん]/)
  }
}

const SETTINGS: readonly Environment[] = [
  { SEKISHO_TITEL: 'a' },
  { SEKISHO_PORT: '99999' },
  { SEKISHO_RELEASES_MAX: 'many' },
  { SEKISHO_KEEP_ALIVE: 'long' },
  { SEKISHO_AGENTS: 'yes', SEKISHO_AGENT_CLIENTS: 'x=http://10.0.0.1/cb', SEKISHO_AGENT_ALLOW: 'https://a' },
  { FIREBASE_API_KEY: 'undefined' },
  { FIREBASE_API_KEY: '', FIREBASE_AUTH_DOMAIN: '', FIREBASE_PROJECT_ID: '' },
  { FIREBASE_AUTH_DOMAIN: 'https://a.example' },
  { FIREBASE_AUTH_DOMAIN: 'docs-example.firebaseapp.com' },
  { FIREBASE_PROJECT_ID: 'demo-a' },
  { FIREBASE_PROJECT_ID: 'A B' },
  { FIREBASE_AUTH_EMULATOR_HOST: 'localhost:9099' },
  { SEKISHO_ORIGIN: 'http://docs.example.co.jp/a' },
  { SEKISHO_ALLOWED_DOMAINS: '' },
  { SEKISHO_ALLOWED_DOMAINS: 'gmail.com' },
  { SEKISHO_ALLOWED_DOMAINS: 'not a domain' },
  { SEKISHO_ALLOWED_EMAILS: 'nobody' },
  { SEKISHO_POLICY_FILE: '/none' },
  { SEKISHO_PUBLISH_RULES_FILE: '/none' },
  { SEKISHO_CSP_ALLOW: 'img https:' },
  { SEKISHO_CSP_ALLOW: 'script http://a.example' },
  { SEKISHO_CSP_ALLOW: 'object https://a.example' },
  { SEKISHO_CSP_ALLOW: 'img' },
  { SEKISHO_SECRET: 'short' },
  { SEKISHO_SECRET: '', SEKISHO_SECRET_FILE: '/none' },
  { SEKISHO_SECRET_PREVIOUS_FILE: '/none' },
  { SEKISHO_SESSION_IDLE: '8d' },
  { SEKISHO_SESSION_ABSOLUTE: '400d' },
  { SEKISHO_REVALIDATION_INTERVAL: '3h' },
  { SEKISHO_REVALIDATION_GRACE: '25h' },
  { SEKISHO_SESSION_IDLE: '31d', SEKISHO_SESSION_ABSOLUTE: '90d' },
  { SEKISHO_SESSION_IDLE: '1s' },
  { SEKISHO_REVALIDATION_INTERVAL: '1s' },
  { SEKISHO_REVALIDATION_GRACE: '1s' },
  { SEKISHO_LOGIN_LANG: 'fr' },
  { SEKISHO_TIME_ZONE: 'Tokyo' },
  { SEKISHO_LOG_LEVEL: 'loud' },
  { SEKISHO_TRUSTED_PROXIES: '' },
  { SEKISHO_TRUSTED_PROXIES: '127.0.0.1,64.0.0.0/2' },
  { SEKISHO_TRUSTED_PROXIES: '192.0.2.7' },
  { SEKISHO_TRUSTED_PROXIES: '0.0.0.0' },
  { SEKISHO_TRUSTED_PROXIES: '::ffff:192.0.2.7' },
  { SEKISHO_TRUSTED_PROXIES: '10.1.2.3/8' },
  { SEKISHO_HOST: 'not_a_host' },
  { SEKISHO_PORT: '9464', SEKISHO_METRICS_PORT: '9464' },
  { SEKISHO_KEEP_ALIVE: '1s' },
  { SEKISHO_KEEP_ALIVE: '2h' },
  { SEKISHO_METRICS_HOST: '0.0.0.0' },
  { SEKISHO_METRICS_HOST: '0.0.0.0', SEKISHO_METRICS_PORT: '9464' },
  { SEKISHO_METRICS_NETWORKS: '0.0.0.0/0', SEKISHO_METRICS_PORT: '9464' },
  { SEKISHO_METRICS_TOKEN_FILE: '/short', SEKISHO_METRICS_PORT: '9464' },
  { SEKISHO_DATABASE_URL: 'postgres://gate@db.example.com/sekisho?sslmode=disable' },
  { SEKISHO_EMBEDDINGS_URL: 'http://ai.example.com/v1/embeddings' },
  { SEKISHO_EMBEDDINGS_URL: 'ai.example.com' },
  { SEKISHO_ANSWERS_URL: 'http://ai.example.com/v1/chat/completions', SEKISHO_ANSWERS_MODEL: 'a' },
  { SEKISHO_ANSWERS_URL: 'https://ai.example.com/v1/chat/completions' },
  {
    SEKISHO_ANSWERS_URL: 'https://ai.example.com/v1/chat/completions',
    ...{ SEKISHO_ANSWERS_MODEL: 'a', SEKISHO_ANSWERS_KEY_FILE: '/multi-line' },
  },
  { SEKISHO_NOTICES_WEBHOOK: 'http://hooks.example.com/a' },
  { SEKISHO_NOTICES_SMTP: 'mail.example.com' },
  { SEKISHO_NOTICES_OWNERS: 'team' },
  { SEKISHO_DATABASE_URL: 'postgres://gate@a,b/sekisho?sslmode=verify-full&target_session_attrs=standby' },
  { SEKISHO_DATABASE_URL: 'postgres://gate@a,b/sekisho?sslmode=verify-full&port=5433' },
  { SEKISHO_DATABASE_LISTEN_URL: 'postgres://gate@db.example.com/sekisho?sslmode=verify-full' },
  { SEKISHO_TRUSTED_PROXIES: 'a b' },
  { SEKISHO_NETWORKS: '192.0.2.0/24' },
  { SEKISHO_ACCEPT_RISKS: 'everything' },
  { SEKISHO_TRUSTED_PROXIES: '', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  { SEKISHO_RELEASES: 'relative/folder' },
  { SEKISHO_RELEASES: 's3://bucket/a?endpoint=http://s3.example.com' },
  { SEKISHO_RELEASES: 's3://bucket/a' },
  { SEKISHO_DATABASE_URL: 'mysql://a' },
  { SEKISHO_DATABASE_URL: 'postgres://gate@db.example.com/sekisho?sslmode=require' },
  { SEKISHO_DATABASE_URL: 'postgres://localhost/a', SEKISHO_DATABASE_URL_FILE: '/none' },
  { SEKISHO_DATABASE_URL: 'postgres://a.example,/a?sslmode=verify-full' },
  { SEKISHO_DATABASE_URL: 'postgres://a.example,b.example/a?sslmode=verify-full&target_session_attrs=any' },
  { SEKISHO_DATABASE_LISTEN_URL: 'postgres://localhost/a' },
  { SEKISHO_METRICS_HOST: '0.0.0.0' },
  { SEKISHO_METRICS_PORT: '9090', SEKISHO_METRICS_HOST: '0.0.0.0' },
  { SEKISHO_METRICS_PORT: '9090', SEKISHO_METRICS_TOKEN_FILE: '/short' },
  { SEKISHO_METRICS_PORT: '9090', SEKISHO_METRICS_NETWORKS: '0.0.0.0/0' },
  { SEKISHO_IDENTITY: 'saml' },
  { ...OIDC, SEKISHO_OIDC_ISSUER: 'http://sso.example.co.jp' },
  { ...OIDC, SEKISHO_OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
  { ...OIDC, SEKISHO_OIDC_VENDOR: 'saml' },
  { ...OIDC, SEKISHO_OIDC_CLIENT_ID: '' },
  { ...OIDC, SEKISHO_OIDC_NAME: 'role' },
  { ...OIDC, SEKISHO_OIDC_DOMAINS: 'not a domain' },
  { ...OIDC, SEKISHO_OIDC_CLIENT_SECRET: '' },
  { ...OIDC, SEKISHO_OIDC_PRIVATE_KEY_FILE: '/none' },
  { ...OIDC, SEKISHO_OIDC_PRIVATE_KEY_FILE: '/short' },
  { ...OIDC, ...SECOND },
]

const LOCAL: readonly Environment[] = [
  { NODE_ENV: 'production' },
  { SEKISHO_HOST: '0.0.0.0' },
  { SEKISHO_ORIGIN: 'https://docs.example.co.jp' },
  { FIREBASE_PROJECT_ID: 'docs-example' },
]

const POLICIES = [
  'none',
  '[]',
  '{"users": []}',
  '{"domains": "a"}',
  '{"groups": []}',
  '{"viewingAs": "sre", "domains": ["a.example"]}',
  '{"viewingAs": ["sre"], "domains": ["a.example"]}',
  '{}',
  '{"domains": ["@a"]}',
  '{"emails": ["a"]}',
  '{"groups": {"A B": ["a@b.example"]}}',
]

/** As the trail keeps them. */
const KEPT = ['readers a@example.co.jp']

const RULES = [
  { issuer: 'http://ci.test' },
  { issuer: 1 },
  { project_id: '1' },
  { repository_id: 'example/docs' },
  { ref: 'main' },
  { ref: 'refs/heads/*' },
  { may: [] },
  { may: 'publish' },
  { may: ['everything'] },
  { branch: 'main' },
]

describe('what is wrong with settings', () => {
  it('is nothing where they are good', () => {
    expect([...problemsOf({}), ...problemsOf(OIDC), ...problemsOf({}, 'local'), ...ruleProblems({})]).toEqual(
      [],
    )
  })

  it.each(SETTINGS)('is said in Japanese of %o', (changes) => expectJapanese(problemsOf(changes)))

  it.each(LOCAL)('is said in Japanese of %o with --local', (changes) =>
    expectJapanese(problemsOf(changes, 'local')),
  )

  it.each(POLICIES)('is said in Japanese of the policy %s', (text) =>
    expectJapanese(readPolicyText(text).problems),
  )

  it.each(RULES)('is said in Japanese of the publish rule %o', (change) =>
    expectJapanese(ruleProblems(change)),
  )

  it('is said in Japanese of rules that the trail keeps', () => expectJapanese(readRules(KEPT).problems))

  it('has a row above for every sentence', () => {
    const rows = [
      ...SETTINGS.flatMap((changes) => problemsOf(changes)),
      ...LOCAL.flatMap((changes) => problemsOf(changes, 'local')),
      ...POLICIES.flatMap((text) => readPolicyText(text).problems),
      ...RULES.flatMap(ruleProblems),
      ...readRules(KEPT).problems,
      ...findRenamed({ SEKISHO_GRANTS: '' }),
    ]
    const codes = new Set(rows.flatMap(codesOf))
    // Two stand where there is no list of problems yet, or no good setting beside the bad one.
    const known = [en.gate, FRAME.en.addresses, IDENTITY.en.identity].flatMap((problems) =>
      Object.keys(problems),
    )
    expect(known.filter((code) => !codes.has(code))).toEqual(['risks_not_accepted', 'origin_label'])
  })
})

/** The codes of a message and of those within it. */
function codesOf({ code, values }: Message): readonly string[] {
  return [code, ...values.flatMap((value) => (value instanceof Message ? codesOf(value) : []))]
}
