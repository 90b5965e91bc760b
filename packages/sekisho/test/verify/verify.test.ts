import { FIREBASE } from '@sekisho/contract/firebase'
import { createHelperProxy } from '@sekisho/server/identity/testing'
import { ORIGIN } from '@sekisho/server/testing'
import type { Reader, VerifyReport, WireClient } from '@sekisho/verify'
import { createReference, openRelease, verifyGate } from '@sekisho/verify'
import type { GateRequest } from '@sekisho/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breakGate, invented, pathOf } from '../support/broken/break-gate.ts'
import { ALL_BROKEN_GATES } from '../support/broken/broken-gates.ts'
import { type FixtureGate, LOGIN_BUNDLE, listenFixtureGate, SITE } from '../support/fixture-gate.ts'
import { PAGES } from '../support/fixture-site.ts'

let gate: FixtureGate
/** The session that broken gates answer with; its account is another than that of the reader who signs out. */
let innerCookie: string
beforeAll(async () => {
  gate = await listenFixtureGate()
  innerCookie = await gate.signIn({ sub: 'inner', email: 'inner@example.co.jp' })
})
afterAll(() => gate[Symbol.asyncDispose]())

/** A few files of every kind; all of them are asked for in every way. */
const ASKED = new Set([
  '/',
  '/docs/secret',
  '/docs/がぎぐげご',
  '/en/',
  '/en/docs/secret',
  '/assets/js/keys-rotation.4e5f6a7b.js',
  '/blog/rss.xml',
])

/** A broken gate gives itself away with as few. */
const FEW = new Set([
  '/docs/secret',
  '/en/docs/secret',
  '/assets/js/keys-rotation.4e5f6a7b.js',
  '/blog/rss.xml',
])

/** As many at once as the one that gives up under load cannot bear; a gate that holds is asked by all. */
const CROWD = 64

function askedByFewer(client: WireClient): WireClient {
  return {
    ...client,
    exchangeTogether: (probes, onOutcome) => client.exchangeTogether(probes.slice(0, CROWD), onOutcome),
  }
}

/** With which open addresses are asked as well. */
const PARAMETERS = '?x=1&verbose=1&details=1&full=1&debug=1&format=json&include=all'

const REDIRECTS = new Map([
  ['/docs/secret/', '/docs/secret'],
  ['/en/docs/secret/', '/en/docs/secret'],
])

/** `npm run test:long` tries all; the others of a rule differ in the response that they break. */
const ONE_FOR_EACH_RULE = [...new Map(ALL_BROKEN_GATES.map((broken) => [broken.found, broken])).values()]

let readers = 0
/** Each reader has an account of its own: how often one may sign in is limited. */
async function signInReader(): Promise<Reader> {
  readers += 1
  const account = { sub: `reader ${readers}`, email: `reader-${readers}@example.co.jp` }
  const [cookie = '', one = '', ...together] = await Promise.all(
    Array.from({ length: 4 }, () => gate.signIn(account)),
  )
  return { cookie, ends: { one, together } }
}

interface Asking {
  readonly at?: FixtureGate
  readonly reader?: Reader
  readonly client?: WireClient
  readonly paths?: ReadonlySet<string>
  /** Texts of further pages that are not served, by title. */
  readonly quoting?: ReadonlyMap<string, string>
}

async function verify({ at = gate, ...asking }: Asking): Promise<VerifyReport> {
  const { reader = null, client = at.client, paths = ASKED, quoting = new Map() } = asking
  const whole = await openRelease(at.releasesDir, null)
  if (whole === null) throw new Error('the fixture has no release')
  const files = new Map([...whole.files].filter(([path]) => paths.has(path)))
  const quoted = [...quoting].map(([title, html], at) => ({ where: `/docs/quoting-${at}`, title, html }))
  for (const { where, title } of quoted) files.set(where, { sha256: 'none', type: 'text/html', title })
  const release = {
    ...{ ...whole, files, redirects: REDIRECTS },
    *storedBytes() {
      yield* whole.storedBytes()
      for (const { where, html } of quoted) yield { where, bytes: Buffer.from(html), type: 'text/html' }
    },
  }
  const reference = createReference({
    ...{ login: LOGIN_BUNDLE, site: SITE, phrases: [], host: ORIGIN.host },
  })
  return verifyGate({
    client,
    host: ORIGIN.host,
    release,
    reference,
    reader,
    behindProxy: false,
    loginLanguage: 'ja',
    effort: 'quick',
  })
}

describe('verify', () => {
  it('finds nothing at a gate that holds', async () => {
    gate.replace(gate.test.gate)
    const report = await verify({ reader: await signInReader() })
    expect(report.findings).toEqual([])
    expect(report.signedIn?.files).toBe(ASKED.size)
    expect(report.surface.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      '/.well-known/oauth-authorization-server pinned',
      '/.well-known/oauth-protected-resource pinned',
      '/.well-known/oauth-protected-resource/mcp pinned',
      '/.well-known/oauth-protected-resource/mcp/ pinned',
      `/.well-known/oauth-protected-resource${PARAMETERS} pinned`,
      '/__gate/health pinned',
      `/__gate/health${PARAMETERS} pinned`,
      '/__gate/live pinned',
      `/__gate/live${PARAMETERS} pinned`,
      '/__gate/login/assets/login-1a2b3c4d.js pinned',
      '/__gate/login/assets/login-5e6f7a8b.css pinned',
      '/__gate/publish refusal',
      '/__gate/publish/commit refusal',
      '/__gate/publish/parts refusal',
      '/__gate/publish/plan refusal',
      '/__gate/publish/releases refusal',
      '/oauth/register refusal',
      '/oauth/revoke refusal',
      '/oauth/token refusal',
    ])
  })

  const SENT = [
    ...['Content-Type: application/problem+json', 'Content-Type: text/html; charset=utf-8'],
    ...['Cache-Control: private, no-store', 'content-length: 104', 'Vary: Accept-Encoding, Cookie'],
    'Set-Cookie: __Host-session=; Path=/; Max-Age=0; SameSite=Lax; Secure; HttpOnly',
    'Strict-Transport-Security: max-age=31536000; includeSubDomains',
    'HTTP/1.1 401 Unauthorized',
  ]
  it('does not mistake pages that quote responses and are called like what they quote', async () => {
    gate.replace(gate.test.gate)
    const titles = [
      'Content-Type',
      'Cache-Control',
      'no-store',
      'application/problem+json',
      '401 Unauthorized',
    ]
    const quoted = `<pre><code>${SENT.join('\r\n')}</code></pre><p>${SENT.join('、')}</p>`
    const quoting = new Map(titles.map((title) => [title, `<h1>${title}</h1>${quoted}`]))
    expect((await verify({ quoting, paths: FEW })).findings).toEqual([])
  })

  it.each([
    'GET /__gate/ask',
    'GET /__gate/ask.js',
    'POST /__gate/answers',
    'POST /__gate/answers/feedback',
    'POST /__gate/acknowledge',
  ])('finds, without a session, that strangers are told something at %s', async (route) => {
    const breakIt = (request: GateRequest) =>
      `${request.method} ${pathOf(request)}` === route ? invented('{"asked":12}', 'application/json') : null
    gate.replace(breakGate({ name: route, found: 'not-pinned', breakIt }, gate, innerCookie))
    const { findings } = await verify({ client: askedByFewer(gate.client), paths: FEW })
    expect(findings.map(({ request }) => request).join()).toContain(route)
  })

  it.each(process.env.TEST_LONG === undefined ? ONE_FOR_EACH_RULE : ALL_BROKEN_GATES)(
    'finds $name',
    async (broken) => {
      gate.replace(breakGate(broken, gate, innerCookie))
      const few = { client: askedByFewer(gate.client), paths: FEW }
      const { findings } = await verify({ reader: await signInReader(), ...few })
      expect(findings.map(({ rule }) => rule)).toContain(broken.found)
    },
  )
})

describe('verify of a gate in production, with the identity service behind its helper pages', () => {
  const listen = (body: string, status = 200) => {
    const fetch = async () =>
      new Response(body, { status, headers: { 'Cache-Control': 'public, max-age=1200' } })
    const helpers = createHelperProxy({ projectId: 'portal-1234', fetch, now: Date.now })
    return listenFixtureGate({ endpoints: [helpers] })
  }
  /** A picture of the release holds the same run, as scripts of two programs hold the same idioms. */
  const SHARED_MARKUP = '<svg><rect width="7"/><rect width="7"/><rect width="7"/></svg>'
  const identityPaths = ({ surface }: VerifyReport) =>
    surface.filter(({ kind }) => kind === 'identity').map(({ path }) => path)

  it.each([
    ['response', 200],
    ['are not there', 404],
    ['cannot be reached', 500],
  ])('finds nothing when they %s, and lists them', async (_row, status) => {
    await using production = await listen(SHARED_MARKUP, status)
    const report = await verify({ at: production })
    expect(report.findings).toEqual([])
    expect(identityPaths(report).toSorted()).toEqual(FIREBASE.paths.toSorted())
  })

  it('finds a helper page that shows the release', async () => {
    await using production = await listen(`<p>${PAGES[1]?.secret}</p>`)
    expect((await verify({ at: production })).findings.map(({ rule }) => rule)).toContain('protected-text')
  })
})
