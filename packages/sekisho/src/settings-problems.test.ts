import { ConfigError, readConfig } from '@sekisho/gate/settings'
import { expect, it } from 'vitest'
import { explainProblem } from './settings-problems.ts'

const GOOD = {
  SEKISHO_ORIGIN: 'https://docs.example.co.jp',
  FIREBASE_API_KEY: 'key',
  FIREBASE_PROJECT_ID: 'docs-example',
  FIREBASE_AUTH_DOMAIN: 'docs.example.co.jp',
  SEKISHO_ALLOWED_DOMAINS: 'example.co.jp',
  SEKISHO_SECRET: 'q8Zr2LmX0vTn5Yb7KcWd1HsGf4PjUe9A',
  SEKISHO_TRUSTED_PROXIES: '127.0.0.1',
}

/** Everything that the gate finds wrong with settings, as an operator in Japan reads it. */
function problemsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  const env = { ...GOOD, ...settings }
  const readFile = () => {
    throw new Error('no such file')
  }
  const explain = (problem: string) => explainProblem(problem, { env: { LANG: 'ja_JP.UTF-8' } })
  try {
    const { risks, identity } = readConfig(env, { mode: 'production', readFile })
    return [...identity.problems, ...risks.map(({ problem }) => problem)].map(explain)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(explain)
  }
}

it('finds nothing wrong with good settings', () => {
  expect(problemsOf({})).toEqual([])
})

it.each([
  { SEKISHO_TITEL: 'a' },
  { SEKISHO_PORT: '99999' },
  { SEKISHO_RELEASES_MAX: 'many' },
  { SEKISHO_KEEP_ALIVE: 'long' },
  { FIREBASE_API_KEY: 'undefined' },
  { FIREBASE_AUTH_DOMAIN: 'https://a.example' },
  { FIREBASE_PROJECT_ID: 'demo-a' },
  { FIREBASE_PROJECT_ID: 'A B' },
  { SEKISHO_ORIGIN: 'http://docs.example.co.jp/a' },
  { SEKISHO_ALLOWED_DOMAINS: '' },
  { SEKISHO_ALLOWED_DOMAINS: 'gmail.com' },
  { SEKISHO_ALLOWED_DOMAINS: 'not a domain' },
  { SEKISHO_POLICY_FILE: '/none' },
  { SEKISHO_SECRET: 'short' },
  { SEKISHO_SECRET: '', SEKISHO_SECRET_FILE: '/none' },
  { SEKISHO_SESSION_IDLE: '8d' },
  { SEKISHO_SESSION_ABSOLUTE: '400d' },
  { SEKISHO_REPROOF_INTERVAL: '3h' },
  { SEKISHO_LOGIN_LANG: 'fr' },
  { SEKISHO_TIME_ZONE: 'Tokyo' },
  { SEKISHO_LOG_LEVEL: 'loud' },
  { SEKISHO_TRUSTED_PROXIES: '' },
  { SEKISHO_TRUSTED_PROXIES: '10.0.0.0/2' },
  { SEKISHO_TRUSTED_PROXIES: 'a b' },
  { SEKISHO_ACCEPT_RISKS: 'everything' },
  { SEKISHO_RELEASES: 'relative/folder' },
  { SEKISHO_RELEASES: 's3://bucket/a?endpoint=http://s3.example.com' },
  { SEKISHO_RELEASES: 's3://bucket/a' },
  { SEKISHO_DATABASE_URL: 'mysql://a' },
  { SEKISHO_DATABASE_URL: 'postgres://gate@db.example.com/sekisho?sslmode=require' },
  { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
])('says in Japanese what to change about %o', (settings) => {
  const problems = problemsOf(settings)
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) expect(problem).toMatch(/[ぁ-ん].*[。）]$|アクセスポリシーを直してください/)
})

it('leaves English terminals their English', () => {
  expect(explainProblem('SEKISHO_TITEL is not a setting', { env: {} })).toBe('SEKISHO_TITEL is not a setting')
})
