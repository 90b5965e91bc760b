import { ROUTES } from '@sekisho/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPolicy } from './access/policy.ts'
import { UnavailableError } from './storage/unavailable-error.ts'
import {
  answerOf,
  createTestGate,
  NAVIGATION,
  ORIGIN,
  readObject,
  type TestGate,
} from './testing/test-gate.ts'

let portal: TestGate
let cookie: string

beforeAll(async () => {
  portal = await createTestGate()
  cookie = await portal.signIn()
})
afterAll(() => portal[Symbol.asyncDispose]())

const asReader = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  portal.ask(path, { method, headers: { Cookie: cookie, ...headers } })

describe('a reader', () => {
  it('gets pages with a policy of their own', async () => {
    const response = await asReader('/docs/guide', NAVIGATION)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('手引き')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+';/)
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-/)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it.each([
    ['/docs/%E7%92%B0%E5%A2%83', 200],
    ['/assets/js/main.0a1b2c3d.js', 200],
    ['/docs/guide.html', 308],
    ['/docs', 308],
    ['/none', 404],
    ['/404.html', 404],
    ['/__gate/search?q=a', 404],
    ['/docs%2Fguide', 400],
    ['//docs/guide', 400],
    ['/__gate/session', 200],
  ])('asking for %s gets %i', async (path, status) => {
    expect((await asReader(path)).status).toBe(status)
  })

  it.each([
    ['/%64ocs/guide', '/docs/guide'],
    ['/docs/%e7%92%b0%e5%a2%83?q=%7e&r', '/docs/%E7%92%B0%E5%A2%83?q=%7e&r'],
    ['/docs/C%2B%2B', '/docs/C++'],
    ['/%5F_gate/session', '/__gate/session'],
  ])('is sent from the equivalent spelling %s to %s', async (spelling, canonical) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await asReader(spelling, {}, method)
      expect([response.status, response.headers.get('location')]).toEqual([308, canonical])
      expect(response.headers.get('cache-control')).toBe('private, no-store')
    }
    expect((await asReader(spelling, {}, 'POST')).status).toBe(400)
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }
    expect((await asReader(spelling, elsewhere)).status).toBe(403)
  })

  it('reads of a refused spelling on a page, and a script reads it as a problem', async () => {
    const opened = await asReader('/docs/50%', { Accept: 'text/html,*/*;q=0.8' })
    expect([opened.status, opened.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect(await answerOf(await asReader('/docs/50%'))).toEqual([400, 'bad_request'])
  })

  it.each([{ 'Service-Worker': 'script' }, { 'Sec-Fetch-Dest': 'serviceworker' }])(
    'gets no service worker: %j',
    async (headers: Record<string, string>) => {
      const path = '/assets/js/main.0a1b2c3d.js'
      expect((await asReader(path, { 'Sec-Fetch-Site': 'same-origin', ...headers })).status).toBe(404)
      expect(
        (await asReader(path, { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'script' })).status,
      ).toBe(200)
    },
  )

  it.each([{ Origin: 'https://evil.test' }, { Origin: 'null' }, {}])(
    'takes from elsewhere nothing that is posted: %j',
    async (headers: Record<string, string>) => {
      for (const { path } of [ROUTES.account, ROUTES.viewAs, ROUTES.acknowledge])
        expect(await answerOf(await asReader(path, headers, 'POST'))).toEqual([403, 'bad_origin'])
    },
  )

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('may not %s a page', async (method) => {
    const response = await asReader('/docs/guide', {}, method)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it.each([
    [
      '34 image on another site',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
      403,
    ],
    [
      '34 script of a sibling host',
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
      403,
    ],
    [
      '34 frame',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
      403,
    ],
    [
      '34 fetch',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
      403,
    ],
    [
      'a link',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
      200,
    ],
    [
      'our own image',
      { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
      200,
    ],
  ])('%s', async (_row, headers, status) => {
    expect((await asReader('/docs/guide', headers)).status).toBe(status)
  })

  it('is recorded with page and release, by name and never by token', async () => {
    const before = await portal.records()
    await asReader('/docs/guide')
    await asReader('/img/photo.png')
    const records = (await portal.records()).slice(before.length)
    expect(records).toMatchObject([
      {
        event: 'page_read',
        email: 'a@example.co.jp',
        path: '/docs/guide',
        release: expect.stringMatching(/^2026/),
      },
      { event: 'file_read', path: '/img/photo.png' },
    ])
    const fields = ['email', 'issuer', 'sub', 'session', 'path', 'release', 'request']
    const frame = ['seq', 'prev', 'at', 'event', 'hash']
    expect(Object.keys(records[0] ?? {}).sort()).toEqual([...frame, ...fields].sort())
    const secrets = cookie.split('; ').map((pair) => pair.split('=')[1] ?? '')
    for (const secret of secrets) expect(JSON.stringify(records)).not.toContain(secret)
  })
})

describe('49 the policy', () => {
  it('counts on the very next request, and ends the session for good', async () => {
    await using other = await createTestGate()
    const reader = await other.signIn()
    const headers = { Cookie: reader }
    expect((await other.ask('/docs/guide', { headers })).status).toBe(200)
    const before = other.state.policy
    other.state.policy = readPolicy([], ['b@example.co.jp']).policy
    expect((await other.ask('/docs/guide', { headers })).status).toBe(401)
    expect((await other.records()).at(-1)).toMatchObject({
      event: 'access_refused',
      email: 'a@example.co.jp',
    })
    other.state.policy = before
    expect((await other.ask('/docs/guide', { headers })).status).toBe(401)
  })
})

describe('76 faults', () => {
  const throwing = (message: string) => () => {
    throw new Error(message)
  }
  it.each([
    ['the policy', { policy: throwing('secret rule') }],
    [
      'the releases',
      {
        releases: { editions: throwing('secret path') },
      },
    ],
  ])('of %s fail closed with a generic text', async (_row, changes) => {
    await using broken = await createTestGate()
    const reader = await broken.signIn()
    await using other = await createTestGate({ ...changes, sessions: broken.sessions })
    const response = await other.ask('/docs/guide', { headers: { Cookie: reader } })
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain('secret')
    expect(JSON.parse(text).requestId).toBe(other.exchanges.at(-1)?.context.requestId)
  })

  it('54 of the identity service keep a reader until the grace is over, then answer 503', async () => {
    await using other = await createTestGate()
    const headers = { Cookie: await other.signIn() }
    other.state.nowMs += 34 * 60_000
    expect((await other.ask('/docs/guide', { headers })).status).toBe(200)
    other.state.nowMs += 2 * 60_000
    const response = await other.ask('/docs/guide', { headers })
    expect(await answerOf(response)).toEqual([503, 'identity_unavailable'])
    const signOut = { method: 'DELETE', headers: { ...headers, Origin: ORIGIN.origin } }
    expect((await other.ask('/__gate/session', signOut)).status).toBe(204)
  })
})

it('17 a response waits for the line that tells of it, and is refused when that line is not written', async () => {
  const lines: PromiseWithResolvers<void>[] = []
  await using plain = await createTestGate()
  const recordReading = () => {
    const line = Promise.withResolvers<void>()
    lines.push(line)
    return line.promise
  }
  await using slow = await createTestGate({ audit: { ...plain.audit, recordReading } })
  const headers = { Cookie: await slow.signIn() }
  const left: number[] = []
  const asked = [1, 2].map(() => slow.ask('/docs/guide', { headers }).then(({ status }) => left.push(status)))
  await expect.poll(() => lines.length).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(left).toEqual([])
  lines[0]?.resolve()
  await asked[0]
  lines[1]?.reject(new UnavailableError('unavailable', 'the audit trail cannot be written'))
  await asked[1]
  expect(left).toEqual([200, 503])
})

it.each([
  ['ok', 200, { status: 'ok' }],
  ['degraded', 200, { status: 'degraded' }],
  ['failed', 503, { code: 'unavailable' }],
] as const)('tells whoever probes that the gate is %s, and no more', async (health, status, body) => {
  await using probed = await createTestGate({ health: () => health })
  const response = await probed.ask('/__gate/health')
  expect(response.status).toBe(status)
  expect(await readObject(response)).toMatchObject(body)
  expect((await probed.ask('/__gate/live')).status, 'alive, whatever it can serve').toBe(200)
})
