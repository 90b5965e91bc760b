import { readSignInProblem } from '@sekisho/contract/sign-in-problem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchSignIns } from '../../kernel/monitoring/sign-in-watch.ts'
import { cookieHeaderOf } from '../../testing/test-gate.ts'
import { type OidcGate, openOidcGate } from '../../testing/test-oidc.ts'

const HANA = { name: '花子', email: 'hana@example.co.jp', email_verified: true }

let portal: OidcGate
let answer: (url: URL) => Response | Error | undefined
const counted: string[] = []
const logged: string[] = []
const signIns = watchSignIns({
  log: (_level, event, fields) => logged.push(`${event} ${fields?.cause}`),
  metrics: { countSignInFailure: (cause) => counted.push(cause) },
  now: Date.now,
})
beforeEach(async () => {
  answer = () => undefined
  counted.length = 0
  logged.length = 0
  portal = await openOidcGate('oidc', { intercept: (url) => answer(url), gate: { signIns } })
  portal.op.accounts.set('hana', HANA)
})
afterEach(() => portal[Symbol.asyncDispose]())

const at = (path: string, give: () => Response | Error) => {
  answer = ({ pathname }) => (pathname === path ? give() : undefined)
}
const json = (status: number, error: string) => () => Response.json({ error }, { status })
const html = (status: number) => () =>
  new Response('<h1>Busy</h1>', { status, headers: { 'Content-Type': 'text/html' } })

const NUMBER = { access_token: 'a', token_type: 'bearer', id_token: 7 }
const GIGABYTE = String(1024 ** 3)
let pulled = 0
/** A body that goes on for as long as it is read. */
const endless = (headers: Record<string, string>) => () => {
  const chunk = new TextEncoder().encode('{"issuer":"'.padEnd(65_536, 'x'))
  const pull = (controller: ReadableStreamDefaultController) => {
    pulled += chunk.length
    controller.enqueue(chunk)
  }
  return new Response(new ReadableStream({ pull }), {
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}
const nested = (open: string, close: string) => () =>
  new Response(open.repeat(50_000) + close.repeat(50_000), {
    headers: { 'Content-Type': 'application/json' },
  })

describe.each([
  ['an endless body', endless({})],
  ['a declared gigabyte', endless({ 'Content-Length': GIGABYTE })],
  ['nested lists', nested('[', ']')],
  ['nested objects', nested('{"a":', '}')], // not JSON: the innermost has no value
])('%s of a provider is its fault, read within bounds', (_row, give) => {
  it.each(['/token', '/jwks', '/me'])('at %s', async (path) => {
    await portal[Symbol.asyncDispose]()
    portal = await openOidcGate('oidc', {
      ...{ keepsToUserinfo: path === '/me', intercept: (url) => answer(url), gate: { signIns } },
    })
    portal.op.accounts.set('hana', HANA)
    pulled = 0
    at(path, give)
    expect((await portal.signIn('hana')).problem).toMatch(/^(?:identity-unavailable|rejected)$/)
    expect(pulled).toBeLessThan(2 * 1024 * 1024)
  })

  it('at its description', async () => {
    portal.advance(4_000_000)
    pulled = 0
    at('/.well-known/openid-configuration', give)
    expect((await portal.begin()).response.status).toBe(503)
    expect(pulled).toBeLessThan(2 * 1024 * 1024)
  })
})

describe('a sign-in that fails without a word on the account', () => {
  it.each([
    ['503 in JSON', '/token', json(503, 'temporarily_unavailable'), 'identity-unavailable', 'token_endpoint'],
    ['503 as a page', '/token', html(503), 'identity-unavailable', 'token_endpoint'],
    ['429', '/token', json(429, 'slow_down'), 'identity-unavailable', 'token_endpoint'],
    [
      '400 for a server’s error',
      '/token',
      json(400, 'server_error'),
      'identity-unavailable',
      'token_endpoint',
    ],
    ['no tokens', '/token', () => Response.json({}), 'identity-unavailable', 'token_endpoint'],
    ['a number as ID token', '/token', () => Response.json(NUMBER), 'identity-unavailable', 'token_endpoint'],
    ['a page of a proxy', '/token', html(200), 'identity-unavailable', 'token_endpoint'],
    ['no connection', '/token', () => new TypeError('down'), 'identity-unavailable', 'token_endpoint'],
    [
      'a timeout',
      '/token',
      () => new DOMException('late', 'TimeoutError'),
      'identity-unavailable',
      'token_endpoint',
    ],
    ['keys that cannot be read', '/jwks', html(500), 'identity-unavailable', 'keys'],
    ['a client it does not know', '/token', json(401, 'invalid_client'), 'unavailable', 'client'],
  ] as const)('%s is said, logged and counted by its cause', async (_row, path, give, problem, cause) => {
    at(path, give)
    expect((await portal.signIn('hana')).problem).toBe(problem)
    expect(counted).toEqual([cause])
    expect(logged.filter((line) => line.endsWith(` ${cause}`)).length).toBeLessThan(2)
    expect(signIns.state()).toBe('degraded')
    expect((await portal.gate.records()).map(({ event }) => event)).not.toContain('sign_in_refused')
    answer = () => undefined
    expect((await portal.signIn('hana')).problem).toBeNull()
    expect(signIns.state()).toBe('ok')
  })

  it('is the provider’s when its description cannot be read, at the first step too', async () => {
    portal.advance(4_000_000)
    at('/.well-known/openid-configuration', html(502))
    const { response } = await portal.begin()
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'identity_unavailable' }),
    ])
    expect(counted).toEqual(['discovery'])
  })

  it.each([
    ['a full disk', () => Object.assign(new Error('full'), { code: 'ENOSPC' }), 'store'],
    ['a fault', () => new TypeError('undefined is not a function'), 'fault'],
  ])('is ours with %s', async (_row, error, cause) => {
    portal.gate.sessions.start = () => Promise.reject(error())
    expect((await portal.signIn('hana')).problem).toBe('unavailable')
    expect(counted).toEqual([cause])
  })

  it('is ours with a policy that cannot be read', async () => {
    Object.defineProperty(portal.gate.state, 'policy', {
      get() {
        throw new Error('unreadable')
      },
    })
    expect((await portal.signIn('hana')).problem).toBe('unavailable')
    expect(counted).toEqual(['policy'])
  })

  it('is ours with a clock by which a new token is over already', async () => {
    const seconds = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: portal.op.issuer,
      aud: 'portal',
      sub: 'hana',
      iat: seconds - 7_200,
      exp: seconds - 3_600,
    }
    const token = await portal.op.sign(claims)
    at('/token', () => Response.json({ access_token: 'a', token_type: 'bearer', id_token: token }))
    expect((await portal.signIn('hana')).problem).toBe('unavailable')
    expect(counted).toEqual(['clock'])
  })

  it('is a refusal where the provider speaks of the code', async () => {
    at('/token', json(400, 'invalid_grant'))
    expect((await portal.signIn('hana')).problem).toBe('rejected')
    expect(counted).toEqual([])
  })
})

it.each([
  ['for us', {}, null],
  ['for others, too, with our azp', { aud: ['other', 'portal'], azp: 'portal' }, null],
  ['for others, too, without azp', { aud: ['portal', 'other'] }, 'rejected'],
  ['for us with the azp of another client', { azp: 'other' }, 'rejected'],
  ['for another client with our azp', { aud: 'other', azp: 'portal' }, 'rejected'],
  ['of another issuer', { iss: 'https://other.test' }, 'rejected'],
  ['of another sign-in', { nonce: 'other' }, 'rejected'],
  ['without a nonce', { nonce: undefined }, 'rejected'],
  ['without an end', { exp: undefined }, 'rejected'],
  ['without an account', { sub: undefined }, 'rejected'],
] as const)('42 an ID token %s', async (_row, changes, problem) => {
  const { location, cookie } = await portal.begin()
  const asked = new URL(location).searchParams
  const iat = Math.floor(Date.now() / 1_000)
  const claims = { iss: portal.op.issuer, aud: 'portal', sub: 'hana', groups: [], iat, exp: iat + 60 }
  const token = await portal.op.sign({ ...HANA, ...claims, nonce: asked.get('nonce'), ...changes })
  at('/token', () => Response.json({ access_token: 'a', token_type: 'bearer', id_token: token }))
  const query = new URLSearchParams({
    code: 'any',
    state: asked.get('state') ?? '',
    iss: portal.op.issuer,
  })
  const response = await portal.gate.ask(`/__gate/sign-in/oidc/callback?${query}`, {
    headers: { Cookie: cookie },
  })
  expect(readSignInProblem(cookieHeaderOf(response), true)?.code ?? null).toBe(problem)
})

it('the log has one line of a cause in a minute, with how many had none', () => {
  let nowMs = 0
  const lines: unknown[] = []
  const watch = watchSignIns({
    log: (_level, _event, fields) => lines.push([fields?.cause, fields?.unlogged]),
    metrics: { countSignInFailure() {} },
    now: () => nowMs,
  })
  for (; nowMs < 61_000; nowMs += 1_000) watch.noteFailure('store', new Error('full'))
  expect(lines).toEqual([
    ['store', 0],
    ['store', 59],
  ])
  nowMs += 600_000
  expect(watch.state()).toBe('ok')
})
