import { encodePath } from '@sekisho/contract/canonical-path'
import { CLIENT, ORIGIN } from '@sekisho/server/testing'
import { findHeader, HEADER_ROWS, type WireOutcome } from '@sekisho/verify'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { LOGIN_BUNDLE, listenFixtureGate } from '../support/fixture-gate.ts'
import { FEED_SECRET, PAGES, SCRIPT_SECRET } from '../support/fixture-site.ts'

const gate = await listenFixtureGate()
const cookie = await gate.signIn()
afterAll(() => gate[Symbol.asyncDispose]())

const OPEN = new Set([
  '/__gate/health',
  ...[...LOGIN_BUNDLE.assets.keys()].map((path) => `/__gate/login/${path}`),
])
const SECRETS = [SCRIPT_SECRET, FEED_SECRET, ...PAGES.flatMap(({ title, secret }) => [title, secret])]
const RUNS = { numRuns: 300 }

/** Paths that are nearly right: real ones and their pieces, joined and encoded by chance. */
const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2f',
    '%2e',
    '%5c',
    '\\',
    ';',
    '%00',
    '%25',
    '%',
    '#',
    '?',
    '%c0%af',
  ),
  fc.constantFrom(...PAGES.map(({ path }) => encodePath(path))),
  fc.constantFrom(
    '/docs',
    '/assets',
    '/__gate',
    '/health',
    '/login',
    '/session',
    '/blog/rss.xml',
    'index.html',
  ),
  fc.constantFrom('/__gate/login/assets/', '/__gate/health', '/__/auth/', 'assets/js/main.0a1b2c3d.js'),
  fc
    .string({ minLength: 1, maxLength: 6, unit: 'grapheme' })
    .map((text) => encodeURIComponent(text.toWellFormed())),
)
const nearPath = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .map((path) => (path.startsWith('/') ? path : `/${path}`))
/** Any byte but those that end the request line. */
const wirePath = fc
  .array(fc.integer({ min: 0x21, max: 0xff }), { minLength: 0, maxLength: 60 })
  .map((bytes) => `/${String.fromCharCode(...bytes)}`)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PATCH')
/** These frame or name the request itself; the rows of the tables try them one by one. */
const FRAMING = /^(?:cookie|origin|host|connection|content-length|transfer-encoding|expect|upgrade)$/i
const anyHeader = fc.record({
  name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,24}$/),
  value: fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
})
const headerSet = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HEADER_ROWS.map(({ headers }) => headers)),
      anyHeader.map(({ name, value }) => [[name, value] as const]),
    ),
    { maxLength: 5 },
  )
  .map((sets) => sets.flat().filter(([name, value]) => !FRAMING.test(name) && !value.includes('{')))

function pathOf(target: string): string {
  return target.split(/[?#]/)[0] ?? ''
}

/** Holds one answer to a stranger against everything a stranger may get. */
function expectClosed(target: string, outcome: WireOutcome): void {
  const bytes = outcome.kind === 'response' ? outcome.response.body : outcome.bytes
  const text = bytes.toString('utf8')
  for (const secret of SECRETS) expect(text).not.toContain(secret)
  if (outcome.kind !== 'response') return
  const { status, headers } = outcome.response
  if (status < 400) expect(OPEN.has(pathOf(target)), `${status} for ${target}`).toBe(true)
  else expect(findHeader(headers, 'cache-control')).toBe('private, no-store')
}

const strangersGetNothing = () =>
  fc.asyncProperty(nearPath, method, headerSet, async (target, verb, headers) => {
    expectClosed(target, await gate.client.exchange({ method: verb, target, headers }))
  })

describe('a stranger never gets more than the open surface', () => {
  it('whatever path, method and headers are sent', async () => {
    await fc.assert(strangersGetNothing(), RUNS)
  })

  it('and the property notices a gate that opens a prefix', async () => {
    gate.replace(async (request, peer) =>
      new URL(request.url).pathname.startsWith('/blog')
        ? new Response('便り')
        : gate.test.gate(request, peer),
    )
    const { failed } = await fc.check(strangersGetNothing(), RUNS)
    gate.replace(gate.test.gate)
    expect(failed).toBe(true)
  })

  it('whatever bytes stand for a path', async () => {
    await fc.assert(
      fc.asyncProperty(wirePath, async (target) => {
        expectClosed(target, await gate.client.exchange({ method: 'GET', target, headers: [] }))
      }),
      RUNS,
    )
  })

  it('whatever cookie is sent', async () => {
    const value = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.base64String({ minLength: 43, maxLength: 44 }),
      fc.constant(cookie.split('=')[1]?.slice(0, 42) ?? ''),
    )
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom('__Host-sekisho', 'sekisho', 'session'), async (text, name) => {
        const sendable = text.replace(/[^\x20-\x7e]/g, '')
        const headers = { Cookie: `${name}=${sendable}` }
        const response = await gate.test.gate(
          new Request(new URL('/docs/secret', ORIGIN), { headers }),
          CLIENT,
        )
        expect(response.status).toBe(401)
      }),
      RUNS,
    )
  })
})

const readersGetOnlyTheManifest = () => {
  const ours = new Set([...gate.edition.files.keys()].map(encodePath))
  const own = new Set([...OPEN, '/__gate/session', '/__gate/sessions'])
  return fc.asyncProperty(fc.oneof(nearPath, wirePath), async (target) => {
    const headers = [['Cookie', cookie]] as const
    const outcome = await gate.client.exchange({ method: 'GET', target, headers })
    if (outcome.kind !== 'response') return
    const { status } = outcome.response
    const path = pathOf(target)
    if (status === 200) expect(ours.has(path) || own.has(path), target).toBe(true)
    else if (status === 308) {
      const location = findHeader(outcome.response.headers, 'location') ?? ''
      const isSpelling = decodeURIComponent(pathOf(location)) === decodeURIComponent(path)
      expect(isSpelling || ours.has(pathOf(location)), location).toBe(true)
    } else expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
}

describe('a reader never gets a file outside the manifest', () => {
  it('whatever path is requested: 200 only for a key of the manifest, in its canonical form', async () => {
    await fc.assert(readersGetOnlyTheManifest(), RUNS)
  })

  it('and the property notices a gate that repairs paths', async () => {
    gate.replace((request, peer) => {
      const url = new URL(request.url)
      url.pathname = url.pathname.replace(/(?:\/|%2f|%5c)+/gi, '/')
      return gate.test.gate(new Request(url, request), peer)
    })
    const { failed } = await fc.check(readersGetOnlyTheManifest(), { numRuns: 2_000 })
    gate.replace(gate.test.gate)
    expect(failed).toBe(true)
  })
})
