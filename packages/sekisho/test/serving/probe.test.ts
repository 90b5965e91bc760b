import { readLoginConfig } from '@sekisho/contract/login-page'
import { ROUTES } from '@sekisho/contract/routes'
import { findFreePort } from '@sekisho/server/state/testing'
import { ORIGIN } from '@sekisho/server/testing'
import { afterAll, expect, it } from 'vitest'
import { probe, runProbe } from '../../src/commands/check/probe.ts'
import { listenFixtureGate } from '../support/fixture-gate.ts'

const gate = await listenFixtureGate()
afterAll(() => gate[Symbol.asyncDispose]())

const PEER = { clientAddress: '127.0.0.1' }
const CLOSED = `http://127.0.0.1:${await findFreePort()}`
const START = '/__gate/sign-in/oidc'
const ISSUER = 'https://id.example.co.jp'
const provider = { id: 'oidc', kind: 'redirect', label: 'Company', settings: { start: START } }
const json = (value: unknown, status = 200) => Response.json(value, { status })

/** Answers in the place of the gate, by path; the gate itself for every other. */
type Changes = Readonly<Record<string, () => Response | Promise<Response>>>
const WORKING: Changes = {
  [START]: () => json({ location: `${ISSUER}/authorize?client_id=x` }),
  '/docs/secret': () => new Response('# Secret', { headers: { 'Content-Type': 'text/markdown' } }),
  '/.well-known/openid-configuration': () => json({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }),
  '/keys': () => json({ keys: [{ kty: 'RSA' }] }),
}

/** The gate's own login page, with a provider in its configuration. */
async function loginPage(): Promise<Response> {
  const response = await gate.test.gate(new Request(ORIGIN, { headers: { Accept: 'text/html' } }), PEER)
  const text = await response.text()
  const config = /id="sekisho-config">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
  const changed = JSON.stringify({ ...readLoginConfig(config), providers: [provider] })
  return new Response(
    text.replace(config, () => changed),
    { status: response.status },
  )
}

async function run(changes: Changes = {}, token: string | null = 'sekisho_personal_x') {
  const asked: Request[] = []
  const handlers: Changes = { '/': loginPage, ...WORKING, ...changes }
  const results = await probe({
    ...{ origin: ORIGIN, issuers: [ISSUER], token, page: '/docs/secret', clock: Date.now, env: {} },
    async fetch(input, init) {
      const request = new Request(input, init)
      asked.push(request)
      const handler = handlers[new URL(request.url).pathname]
      if (handler !== undefined) return handler()
      const response = await gate.test.gate(request, PEER)
      return new Response(await response.text(), { status: response.status })
    },
  })
  const failed = results.filter(({ problem }) => problem !== null)
  return { asked, names: results.map(({ name }) => name), failed: failed.map(({ name }) => name) }
}

it('goes the whole way of a reader at a gate that works', async () => {
  const { asked, names, failed } = await run()
  expect(names).toEqual(['health', 'login page', 'sign-in oidc', `issuer ${ISSUER}`, 'page /docs/secret'])
  expect(failed).toEqual([])
  for (const request of asked) // the token goes to the page alone
    expect(request.headers.has('authorization')).toBe(new URL(request.url).pathname === '/docs/secret')
})

const throws = () => Promise.reject(new TypeError('fetch failed'))
it.each([
  ['the gate has failed', { [ROUTES.health.path]: () => json({}, 503) }, 'health'],
  ['the gate is degraded', { [ROUTES.health.path]: () => json({ status: 'degraded' }) }, 'health'],
  ['health is no JSON', { [ROUTES.health.path]: () => new Response('ok') }, 'health'],
  ['the provider is out of reach of the gate', { [START]: () => json({}, 503) }, 'sign-in oidc'],
  ['the start says nothing', { [START]: () => json({}) }, 'sign-in oidc'],
  ['the issuer has no keys', { '/keys': () => json({ keys: [] }) }, `issuer ${ISSUER}`],
  ['the issuer does not answer', { '/.well-known/openid-configuration': throws }, `issuer ${ISSUER}`],
  ['the token is not accepted', { '/docs/secret': () => json({}, 401) }, 'page /docs/secret'],
  ['the page is gone', { '/docs/secret': () => json({}, 404) }, 'page /docs/secret'],
  ['the page is empty', { '/docs/secret': () => new Response('') }, 'page /docs/secret'],
] as const)('finds that %s, and tries the rest', async (_row, changes, name) => {
  const { names, failed } = await run(changes)
  expect(failed).toEqual([name])
  expect(names).toHaveLength(5)
})

it.each([
  ['it is a page for all', { '/': () => new Response('<h1>Hello</h1>') }],
  ['it is a redirect', { '/': () => new Response(null, { status: 302 }) }],
  ['nothing answers', { '/': throws }],
] as const)('finds no login page when %s', async (_row, changes) => {
  expect((await run(changes)).failed).toEqual(['login page'])
})

it('leaves the page out without a token, and the gate answers by itself that it has no provider', async () => {
  const own = async () => {
    const response = await gate.test.gate(new Request(ORIGIN, { headers: { Accept: 'text/html' } }), PEER)
    return new Response(await response.text(), { status: response.status })
  }
  const { names, failed } = await run({ '/': own }, null)
  expect([names, failed]).toEqual([['health', 'login page', `issuer ${ISSUER}`], ['login page']])
})

it.each([
  [[], 2],
  [['--url', 'docs.example.co.jp'], 2],
  [['--url', 'https://a.test', '--issuer', 'x'], 2],
  [['--url', 'https://a.test', '--page', 'x'], 2],
  [['--url', 'https://a.test', '--token-file', '/nowhere'], 1],
  [['--url', CLOSED], 1],
  [['--url', CLOSED, '--json'], 1],
])('%j ends with %s', async (args, code) => {
  const printed: string[] = []
  const io = {
    env: {},
    cwd: '/',
    clock: Date.now,
    print: (line: string) => printed.push(line),
    complain: () => {},
  }
  expect(await runProbe(args, io)).toBe(code)
  if (args.includes('--json'))
    expect(JSON.parse(printed.join())).toMatchObject({
      ok: false,
      checks: [{ name: 'health', ok: false, problem: 'ECONNREFUSED' }, {}],
    })
})
