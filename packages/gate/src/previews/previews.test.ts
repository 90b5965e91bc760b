import { PREVIEW_ROUTES, ROUTES } from '@sekisho/contract/routes'
import type { Preview } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, type TestBuild } from '@sekisho/release/testing'
import type { GateResponse } from '@sekisho/wire'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../access/policy.ts'
import type { Gate } from '../app.ts'
import { createContentPolicy } from '../http/content-policy.ts'
import { createSearchRunner } from '../search-api/search-runner.ts'
import { openReleases } from '../serving/open-releases.ts'
import { createSeal } from '../sessions/seal.ts'
import { createSessionCookies } from '../sign-in/session-cookies.ts'
import {
  CLIENT,
  cookieHeaderOf,
  createTestGate,
  NAVIGATION,
  ORIGIN,
  readObject,
  type TestGate,
} from '../testing/test-gate.ts'
import { createHandOverRoute, type LivePreview } from './hand-over.ts'
import { createPreviewGate } from './preview-gate.ts'
import { createTickets } from './tickets.ts'

const NOW = Date.parse('2026-11-21T00:00:00Z')
const originOf = (name: string) => new URL(`https://${name}--portal.test`)

/** A preview and a browser that visits it: what the browser keeps of each host is kept apart. */
interface Visited {
  readonly live: LivePreview
  readonly gate: Gate
}

const runner = createSearchRunner()
let build: TestBuild
let portal: TestGate
let previews: Map<string, Visited>
let cleanup: AsyncDisposableStack
const tickets = createTickets({ seal: createSeal('s'.repeat(32)), now: () => portal.state.nowMs })

async function addPreview(name: string, changes: Partial<Preview> = {}): Promise<Visited> {
  const preview: Preview = {
    ...{ name, branch: 'feature/検索', commit: '0123456789abcdef', createdAtMs: NOW },
    ...{ expiresAtMs: NOW + 14 * 86_400_000 },
    ...changes,
  }
  const live = { preview, origin: originOf(name) }
  const gate = createPreviewGate(live, await openReleases({ releasesDir: build.releasesDir }), {
    portal: ORIGIN,
    tickets,
    runner,
    maxAgeSeconds: 36_000,
    placeOf: () => null,
    contentPolicy: createContentPolicy([]),
    policy: () => portal.state.policy,
    sessions: portal.sessions,
    audit: portal.audit,
    accountLimit: { take: () => 0 },
    health: () => 'ok',
    observe: (one) => portal.exchanges.push(one),
    now: () => portal.state.nowMs,
  })
  const visited = { live, gate }
  previews.set(name, visited)
  return visited
}

beforeAll(async () => {
  build = await createTestBuild()
  await build.write('docs/guide/index.html', pageHtml('まだ確認されていない本文'))
  await packRelease({ ...build, clock: () => NOW })
})
afterAll(async () => {
  await runner.close()
  await build[Symbol.asyncDispose]()
})
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  previews = new Map()
  const handOver = createHandOverRoute({
    origin: ORIGIN,
    cookies: createSessionCookies(ORIGIN, 36_000),
    tickets,
    findPreview: (name) => previews.get(name)?.live ?? null,
    currentSite: async () => null,
  })
  portal = cleanup.use(await createTestGate({ identityRoutes: new Map([handOver]) }))
})
afterEach(() => cleanup.disposeAsync())

async function ask(visited: Visited, path: string, init: RequestInit = {}): Promise<GateResponse> {
  return visited.gate(new Request(visited.live.origin.origin + path, init), CLIENT)
}
function post(visited: Visited, path: string, body: unknown, cookie: string, headers = {}) {
  const own = { Origin: visited.live.origin.origin, 'Content-Type': 'application/json', Cookie: cookie }
  return ask(visited, path, { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) })
}

let signIns = 0
const signIn = (claims = {}) => portal.signIn({ jti: `preview ${++signIns}`, ...claims })

/** What a browser without anything is given when its visit begins. */
async function begin(visited: Visited, cookie = '') {
  const response = await ask(visited, PREVIEW_ROUTES.begin.path, {
    method: 'POST',
    headers: { Origin: visited.live.origin.origin, Cookie: cookie },
  })
  const { location } = await readObject(response)
  return { nonce: cookieHeaderOf(response), asked: new URL(String(location)) }
}
const show = (asked: URL, cookie: string) =>
  portal.ask(asked.pathname + asked.search, { headers: { ...NAVIGATION, Cookie: cookie } })
const submit = (asked: URL, cookie: string, headers = {}) =>
  portal.ask(ROUTES.handOver.path, {
    method: 'POST',
    headers: {
      ...{ Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie },
      ...headers,
    },
    body: asked.searchParams.toString(),
  })
async function ticketFor(asked: URL, cookie: string): Promise<string> {
  const text = await (await submit(asked, cookie)).text()
  return /name="ticket" value="([\w-]+)"/.exec(text)?.[1] ?? expect.fail(text)
}
const enter = (visited: Visited, ticket: string, nonce: string, headers = {}) =>
  post(visited, PREVIEW_ROUTES.enter.path, { ticket }, nonce, headers)
/** All of it; resolves to the Cookie header of the preview's session. */
async function handOver(visited: Visited, cookie: string): Promise<string> {
  const { nonce, asked } = await begin(visited)
  const response = await enter(visited, await ticketFor(asked, cookie), nonce)
  expect(response.status).toBe(204)
  return cookieHeaderOf(response)
}
const read = (visited: Visited, cookie: string, path = '/docs/guide') =>
  ask(visited, path, { headers: { ...NAVIGATION, Cookie: cookie } })

describe('a preview', () => {
  it('is read after a hand-over, with its own content, and the portal keeps its own', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    const page = await read(visited, own)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('まだ確認されていない本文')
    expect(page.headers.get('X-Robots-Tag')).toContain('noindex')
    expect(await (await portal.ask('/docs/guide', { headers: { Cookie: cookie } })).text()).not.toContain(
      'pr-1',
    )
    expect(await portal.records()).toContainEqual(
      expect.objectContaining({ event: 'page_read', path: '/docs/guide', preview: 'pr-1' }),
    )
  })

  it('gives a stranger one answer whatever is asked, and nothing of it', async () => {
    const visited = await addPreview('pr-1')
    const answers = await Promise.all(
      ['/', '/docs/guide', '/nowhere', ROUTES.searchPage.path, ROUTES.handOver.path].map(async (path) => {
        const response = await ask(visited, path, { headers: NAVIGATION })
        return [response.status, await response.text()] as const
      }),
    )
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([401]))
    expect(new Set(answers.map(([, text]) => text)).size).toBe(1)
    expect(answers[0]?.[1]).not.toMatch(/pr-1|feature|0123456|guide|本文/)
    expect((await ask(visited, '/docs/guide')).status).toBe(401)
  })

  it("has cookies that are worthless at the portal, and the portal's at the preview", async () => {
    const visited = await addPreview('pr-1')
    const other = await addPreview('pr-2')
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    expect(own).toMatch(/__Host-sekisho=/)
    expect((await read(visited, cookie)).status).toBe(401)
    expect((await read(other, own)).status).toBe(401)
    expect((await portal.ask('/docs/guide', { headers: { Cookie: own } })).status).toBe(401)
    expect((await read(visited, own)).status).toBe(200)
  })

  it('sets cookies for its own host only, hidden from scripts where they are secret', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const response = await enter(visited, await ticketFor(asked, await signIn()), nonce)
    const cookies = response.headers.getSetCookie()
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-[^;]+; Path=\/; .*SameSite=Lax; Secure/)
    expect(cookies.join()).not.toMatch(/Domain/i)
    expect(cookies.find((one) => one.startsWith('__Host-sekisho='))).toContain('HttpOnly')
  })
})

describe('a ticket', () => {
  it('is spent once, by whichever of two comes first', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    const statuses = await Promise.all([1, 2].map(async () => (await enter(visited, ticket, nonce)).status))
    expect(statuses.sort()).toEqual([204, 401])
    expect((await enter(visited, ticket, nonce)).status).toBe(401)
  })

  it('is spent once, however it is written', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const cookie = await signIn()
    let ticket = await ticketFor(asked, cookie)
    const bytes = Buffer.from(ticket, 'base64url')
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => ticket.slice(0, -1) + last)
      .filter((other) => other !== ticket && Buffer.from(other, 'base64url').equals(bytes))
    expect((await enter(visited, ticket, nonce)).status).toBe(204)
    for (ticket of [...others, `${ticket}=`, `${ticket}\n`])
      expect((await enter(visited, ticket, nonce)).status).toBeGreaterThanOrEqual(400)
  })

  it('is good for thirty seconds', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const { nonce, asked } = await begin(visited)
    const inTime = await ticketFor(asked, cookie)
    const late = await ticketFor(asked, cookie)
    portal.state.nowMs += 30_000
    expect((await enter(visited, inTime, nonce)).status).toBe(204)
    portal.state.nowMs += 1
    expect((await enter(visited, late, nonce)).status).toBe(401)
  })

  it('is for one host', async () => {
    const [visited, other] = [await addPreview('pr-1'), await addPreview('pr-2')]
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    expect((await enter(other, ticket, nonce)).status).toBe(401)
    expect((await enter(visited, ticket, nonce)).status).toBe(204)
  })

  it('is for the browser whose visit began: an attacker cannot sign a victim in, nor use what was meant for them', async () => {
    const visited = await addPreview('pr-1')
    const [attacker, victim] = [await begin(visited), await begin(visited)]
    const ofAttacker = await ticketFor(
      attacker.asked,
      await signIn({ sub: 'evil', email: 'evil@example.co.jp' }),
    )
    for (const nonce of ['', victim.nonce, `__Host-sekisho-nonce=${'A'.repeat(43)}`])
      expect((await enter(visited, ofAttacker, nonce)).status).toBe(401)
    const ofVictim = await ticketFor(victim.asked, await signIn())
    expect((await enter(visited, ofVictim, attacker.nonce)).status).toBe(401)
    expect((await enter(visited, ofVictim, victim.nonce)).status).toBe(204)
  })

  it('is nothing else that is sealed, nor anything that is altered', async () => {
    const visited = await addPreview('pr-1')
    const { nonce, asked } = await begin(visited)
    const ticket = await ticketFor(asked, await signIn())
    const altered = ticket.startsWith('A') ? `B${ticket.slice(1)}` : `A${ticket.slice(1)}`
    const sealed = createSeal('t'.repeat(32)).close(
      `${'k'.repeat(43)} ${NOW}`,
      'hand-over pr-1--portal.test x',
    )
    for (const other of [altered, Buffer.from(sealed).toString('base64url'), 'x'.repeat(114)])
      expect((await enter(visited, other, nonce)).status).toBe(401)
  })

  it('leaves with a form of the main origin, in no address, and comes in from there only', async () => {
    const visited = await addPreview('pr-1')
    const { asked, nonce } = await begin(visited)
    const response = await submit(asked, await signIn())
    const [status, text] = [response.status, await response.text()]
    const ticket = /name="ticket" value="([\w-]+)"/.exec(text)?.[1] ?? ''
    expect([status, response.headers.get('location')]).toEqual([200, null])
    expect(text).toContain('<form method="post" action="https://pr-1--portal.test/__gate/preview/arrive">')
    expect(response.headers.get('referrer-policy')).toBe('strict-origin')
    const bring = (origin: string) =>
      ask(visited, PREVIEW_ROUTES.arrive.path, {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ticket }).toString(),
      })
    for (const origin of [
      'https://evil.test',
      'null',
      'https://pr-2--portal.test',
      'https://pr-1--portal.test',
    ])
      expect((await bring(origin)).status).toBe(403)
    const page = await bring(ORIGIN.origin)
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    expect(await page.text()).toContain(`data-ticket="${ticket}"`)
    for (const origin of ['https://evil.test', ORIGIN.origin, 'null'])
      expect((await enter(visited, ticket, nonce, { Origin: origin })).status).toBe(403)
    expect(portal.exchanges.every(({ request }) => !request.url.includes(ticket))).toBe(true)
  })

  it('cannot carry markup into the page that brings it in', async () => {
    const visited = await addPreview('pr-1')
    const response = await ask(visited, PREVIEW_ROUTES.arrive.path, {
      method: 'POST',
      headers: { Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ticket: `${'x'.repeat(100)}"><script>alert(1)</script>` }).toString(),
    })
    expect(response.status).toBe(400)
  })
})

describe('the page that hands over', () => {
  it('asks, and nothing happens before somebody says yes', async () => {
    const visited = await addPreview('pr-1')
    const { asked } = await begin(visited)
    expect(asked.origin).toBe(ORIGIN.origin)
    const response = await show(asked, await signIn())
    const text = await response.text()
    expect(response.status).toBe(200)
    for (const shown of ['pr-1--portal.test', 'feature/検索', '012345678', 'a@example.co.jp'])
      expect(text).toContain(shown)
    expect(text).not.toMatch(/<script|ticket/)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self'")
  })

  it('is the login page to a stranger, at its very address', async () => {
    const visited = await addPreview('pr-1')
    const { asked } = await begin(visited)
    const unknown = new URL(asked)
    unknown.searchParams.set('to', 'pr-9')
    const answers = await Promise.all([asked, unknown].map(async (url) => (await show(url, '')).text()))
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]).toContain('sekisho-config')
  })

  it.each([
    ['a page of the preview', { Origin: 'https://pr-1--portal.test', 'Sec-Fetch-Site': 'same-site' }],
    ['another preview that hides its origin', { Origin: 'null', 'Sec-Fetch-Site': 'same-site' }],
    ['another site', { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of the preview in a browser that says no more', { Origin: 'https://pr-1--portal.test' }],
    ['one that hides its origin there', { Origin: 'null' }],
  ])('is answered to by nobody but its reader: not by %s', async (_who, headers) => {
    const visited = await addPreview('pr-1')
    const { asked } = await begin(visited)
    const response = await submit(asked, await signIn(), headers)
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('ticket')
  })

  it.each(['', '//evil.test', 'evil.test', 'pr-9', 'pr-1--portal.test', 'https://evil.test/'])(
    'leads nowhere but to a live preview: not to %j',
    async (to) => {
      const visited = await addPreview('pr-1')
      const { asked } = await begin(visited)
      asked.searchParams.set('to', to)
      const cookie = await signIn()
      for (const response of [await show(asked, cookie), await submit(asked, cookie)]) {
        expect(response.status).toBe(404)
        expect(await response.text()).not.toContain('evil')
      }
    },
  )

  it('shows what a publisher wrote as text', async () => {
    const visited = await addPreview('pr-1', { branch: '<img src=x onerror=alert(1)>' })
    const text = await (await show((await begin(visited)).asked, await signIn())).text()
    expect(text).toContain('&#60;img src=x')
    expect(text).not.toContain('<img')
  })
})

describe('the readers of a preview', () => {
  const ONLY_TARO = { domains: [], emails: ['taro@example.co.jp'] }

  it('are fewer than those of the portal; to the others there is none', async () => {
    const visited = await addPreview('pr-1', { readers: ONLY_TARO })
    const [hanako, taro] = [await signIn(), await signIn({ sub: 'taro', email: 'taro@example.co.jp' })]
    const { nonce, asked } = await begin(visited)
    expect((await show(asked, hanako)).status).toBe(404)
    expect((await submit(asked, hanako)).status).toBe(404)
    expect((await read(visited, await handOver(visited, taro))).status).toBe(200)
    // A ticket that was made all the same opens nothing: the preview's own gate asks again.
    const { nonce: other, asked: wide } = await begin(visited, nonce)
    const key = createSessionCookies(ORIGIN, 1).readKey(new Request(ORIGIN, { headers: { Cookie: hanako } }))
    const challenge = wide.searchParams.get('challenge') ?? ''
    const ticket =
      key.kind === 'present' ? tickets.issue(key.key, { host: visited.live.origin.host, challenge }) : ''
    expect((await enter(visited, ticket, other)).status).toBe(403)
  })

  it('are never more than those of the portal', async () => {
    const visited = await addPreview('pr-1', {
      readers: { domains: ['example.co.jp', 'evil.test'], emails: [] },
    })
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    portal.state.policy = readPolicy([], ['taro@example.co.jp']).policy
    expect((await read(visited, own)).status).toBe(401)
    portal.state.policy = readPolicy(['example.co.jp'], []).policy
    expect((await read(visited, own)).status).toBe(401) // over, not asleep
  })

  it.each([
    ['that cannot be read', { domains: ['*'], emails: [] }],
    ['that are none', { domains: [], emails: [] }],
  ])('%s are nobody', async (_what, readers) => {
    const visited = await addPreview('pr-1', { readers })
    expect((await show((await begin(visited)).asked, await signIn())).status).toBe(404)
  })
})

describe('a session of a preview', () => {
  const end = (visited: Visited, path: string, cookie: string) =>
    ask(visited, path, { method: 'DELETE', headers: { Origin: visited.live.origin.origin, Cookie: cookie } })
  const isIn = async (cookie: string) =>
    (await portal.ask('/docs/guide', { headers: { Cookie: cookie } })).status === 200

  it('ends when its reader signs out of the portal', async () => {
    const visited = await addPreview('pr-1')
    const cookie = await signIn()
    const own = await handOver(visited, cookie)
    await portal.ask(ROUTES.session.path, {
      method: 'DELETE',
      headers: { Origin: ORIGIN.origin, Cookie: cookie },
    })
    expect((await read(visited, own)).status).toBe(401)
  })

  it('ends when the account is no longer admitted', async () => {
    const visited = await addPreview('pr-1')
    const own = await handOver(visited, await signIn())
    portal.state.policy = readPolicy(['example.com'], []).policy
    expect((await read(visited, own)).status).toBe(401)
  })

  it('reaches no other session of its account, whatever the content of the preview asks for', async () => {
    const visited = await addPreview('pr-1')
    const [cookie, elsewhere] = [await signIn(), await signIn()]
    const [own, second] = [await handOver(visited, cookie), await handOver(visited, elsewhere)]
    const { sessions } = await readObject(
      await ask(visited, ROUTES.sessions.path, { headers: { Cookie: own } }),
    )
    expect(sessions).toEqual([expect.objectContaining({ isThisOne: true })])
    const theirs = await readObject(await portal.ask(ROUTES.sessions.path, { headers: { Cookie: cookie } }))
    const ids = Array.isArray(theirs.sessions) ? theirs.sessions.map(({ id }) => String(id)) : []
    expect(ids.length).toBe(4)
    for (const id of ids.filter((one) => !JSON.stringify(sessions).includes(one)))
      expect((await end(visited, `${ROUTES.sessions.path}?id=${id}`, own)).status).toBe(404)
    expect((await end(visited, ROUTES.sessions.path, own)).status).toBe(204)
    expect([await isIn(cookie), await isIn(elsewhere)]).toEqual([true, true])
    expect([(await read(visited, own)).status, (await read(visited, second)).status]).toEqual([401, 200])
  })

  it('is opened in no other way', async () => {
    const visited = await addPreview('pr-1')
    const idToken = await portal.issuer.sign({ jti: 'direct' })
    const response = await post(visited, ROUTES.session.path, { idToken, refreshToken: idToken }, '')
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []])
    const answer = await readObject(
      await ask(visited, ROUTES.session.path, {
        headers: { Cookie: await handOver(visited, await signIn()) },
      }),
    )
    expect(answer).toMatchObject({ email: 'a@example.co.jp', isSignInConfigured: true })
  })

  it('is recorded with its preview, and so is who was refused', async () => {
    const visited = await addPreview('pr-1')
    await handOver(visited, await signIn())
    await enter(visited, 'x'.repeat(114), '')
    expect(await portal.records()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'signed_in', email: 'a@example.co.jp', preview: 'pr-1' }),
        expect.objectContaining({ event: 'sign_in_refused', reason: 'no_nonce', preview: 'pr-1' }),
      ]),
    )
  })
})

describe('what the portal answers to a preview', () => {
  it.each([
    ['a fetch with cookies', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    ['a picture', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
    ['a script', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
  ])('is nothing of a page for %s', async (_what, headers) => {
    const from = { 'Sec-Fetch-Site': 'same-site', Origin: 'https://pr-1--portal.test' }
    const response = await portal.ask('/docs/guide', {
      headers: { ...from, ...headers, Cookie: await signIn() },
    })
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a page of a preview', () => {
  it('ends with a banner; files and what scripts fetch are as they were packed', async () => {
    const visited = await addPreview('pr-1')
    const own = await handOver(visited, await signIn())
    const page = await read(visited, own)
    const text = await page.text()
    expect(text).toMatch(/<\/html>\s*<aside lang="ja" aria-label="プレビュー"/)
    for (const shown of ['feature/検索', '012345678', '12月5日まで', `href="${ORIGIN.origin}/"`])
      expect(text).toContain(shown)
    expect(text).not.toContain('0123456789')
    expect(Number(page.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect([page.headers.get('etag'), page.headers.get('content-encoding')]).toEqual([null, null])
    const fetched = await ask(visited, '/docs/guide', { headers: { Cookie: own } })
    expect(await fetched.text()).not.toContain('<aside')
    const missing = await read(visited, own, '/nowhere')
    expect([missing.status, (await missing.text()).includes('<aside')]).toEqual([404, true])
    const head = await ask(visited, '/docs/guide', {
      method: 'HEAD',
      headers: { ...NAVIGATION, Cookie: own },
    })
    expect(head.headers.get('content-length')).toBe(page.headers.get('content-length'))
  })

  it('shows a branch as text', async () => {
    const visited = await addPreview('pr-1', { branch: '</aside><script>alert(1)</script>' })
    const text = await (await read(visited, await handOver(visited, await signIn()))).text()
    expect(text).not.toContain('<script>alert(1)')
  })

  it('cannot install a service worker, which would outlive it', async () => {
    const visited = await addPreview('pr-1')
    const own = await handOver(visited, await signIn())
    const response = await ask(visited, '/docs/guide', {
      headers: { Cookie: own, 'Service-Worker': 'script', 'Sec-Fetch-Dest': 'serviceworker' },
    })
    expect(response.status).toBe(404)
  })
})
