import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE } from '@sekisho/release/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AccessPolicy, readPolicy } from './access/policy.ts'
import { openReleases } from './releases/open-releases.ts'
import { createTestClient } from './testing/test-client.ts'
import { cookieHeaderOf, createTestGate, NAVIGATION, readObject, type TestGate } from './testing/test-gate.ts'

const OPS = { path: '/docs/ops', file: 'docs/ops/index.html', title: '運用' }
const SECRET = '夜間の当番表'
const CHUNK = '/assets/js/ops.0a1b2c3d.js'
const OPERATORS = new Map([['operators', '運用担当']])
const EVERYONE = new Map([['everyone', 'すべての読者']])
const policyWith = (operators: readonly string[]): AccessPolicy =>
  readPolicy(['example.co.jp'], [], { operators }).policy

const cleanup = new AsyncDisposableStack()
let portal: TestGate
let cookie: string
/** A release of two editions; what of it a reader gets depends on the group that a test puts them in. */
beforeAll(async () => {
  const [ops, all] = [await createTestBuild(), await createTestBuild()]
  cleanup.defer(() => ops[Symbol.asyncDispose]())
  cleanup.defer(() => all[Symbol.asyncDispose]())
  await ops.writeSite({ pages: [...SITE.pages, OPS], redirects: [{ from: '/duty', to: '/docs/ops' }] })
  await ops.write(OPS.file, pageHtml(SECRET))
  await ops.write(CHUNK.slice(1), `console.log(${JSON.stringify(SECRET.repeat(40))})`)
  await ops.write('index.html', `${pageHtml('ホーム')}<p>${SECRET}</p>`)
  const editions = [
    { name: 'operators', audiences: ['operators'], labels: OPERATORS, buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], labels: EVERYONE, buildDir: all.buildDir },
  ]
  await packRelease({ editions, dataDir: ops.dataDir, clock: () => Date.UTC(2026, 10, 21) })
  portal = cleanup.use(
    await createTestGate({ releases: await openReleases({ releasesDir: ops.releasesDir }) }),
  )
  cookie = await portal.signIn()
})
afterAll(() => cleanup.disposeAsync())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  portal.ask(path, { method, headers: { Cookie: cookie, ...NAVIGATION, ...headers } })
/** Everything of a response that may differ, but what differs from one request to the next. */
async function whole(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await ask(path, headers, method)
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}

describe('an operator', () => {
  beforeEach(() => {
    portal.state.policy = policyWith(['a@example.co.jp'])
  })

  it.each([OPS.path, CHUNK, '/duty', '/'])(
    'is served %s, so that its absence elsewhere says something',
    async (path) => {
      const response = await ask(path)
      expect([200, 308]).toContain(response.status)
      if (response.status === 200) expect(await response.text()).toContain(SECRET)
    },
  )

  it('is one by domain as well', async () => {
    portal.state.policy = policyWith(['@example.co.jp'])
    expect((await ask(OPS.path)).status).toBe(200)
  })

  it('is told their group and their edition on the account page', async () => {
    const page = await (await ask('/__gate/account')).text()
    expect(page).toContain('グループ: 運用担当')
    expect(page).toContain('読んでいるエディション: 運用担当')
  })

  it('is none from the next request on when the policy says so, and told by the release that tabs compare', async () => {
    const named = async () =>
      (await readObject(await ask('/__gate/session', { 'Sec-Fetch-Mode': 'cors' }))).release
    const before = await named()
    portal.state.policy = policyWith([])
    expect((await ask(OPS.path)).status).toBe(404)
    expect(await named()).toBe(String(before).replace('-operators', '-everyone'))
  })
})

describe('another reader', () => {
  beforeEach(() => {
    portal.state.policy = policyWith(['ichiro@example.co.jp', '@sub.example.co.jp'])
  })

  it.each([OPS.path, '/docs/ops/', '/docs/ops.html', CHUNK, '/duty'])(
    'gets for %s what they get for nonsense',
    async (path) => {
      for (const method of ['GET', 'HEAD'])
        expect(await whole(path, {}, method)).toEqual(await whole('/docs/none', {}, method))
    },
  )

  it.each([
    { Cookie2: 'edition=operators' },
    { 'X-Edition': 'operators' },
    { 'X-Forwarded-Groups': 'operators' },
    { 'X-Forwarded-Email': 'ichiro@example.co.jp' },
    { Referer: 'https://portal.test/docs/ops' },
    { 'Accept-Language': 'operators' },
  ])('gets no other edition by a header: %j', async (headers: Record<string, string>) => {
    expect(await whole(OPS.path, headers)).toEqual(await whole('/docs/none', headers))
    expect((await whole('/', headers)).body).not.toContain(SECRET)
  })

  it('gets no other edition by a cookie or a query', async () => {
    const Cookie = `${cookie}; edition=operators; group=operators`
    expect((await whole(`${OPS.path}?edition=operators`, { Cookie })).status).toBe(404)
    expect((await whole('/?edition=operators&as=operators', { Cookie })).body).not.toContain(SECRET)
  })

  it('learns nothing from the entity tag of another edition', async () => {
    portal.state.policy = policyWith(['a@example.co.jp'])
    const etag = (await ask('/')).headers.get('etag') ?? expect.fail('no entity tag')
    portal.state.policy = policyWith([])
    const answer = await whole('/', { 'If-None-Match': etag })
    expect([answer.status, answer.body.includes(SECRET)]).toEqual([200, false])
    expect(await whole(OPS.path, { 'If-None-Match': etag })).toEqual(
      await whole('/docs/none', { 'If-None-Match': etag }),
    )
  })
})

describe('viewing as', () => {
  const policyOf = (operators: readonly string[], viewingAs: readonly string[] = ['operators']) =>
    readPolicy(['example.co.jp'], [], { operators, writers: ['@example.co.jp'] }, viewingAs).policy
  beforeEach(() => {
    portal.state.policy = policyOf(['a@example.co.jp'])
  })

  function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(fields).toString()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://portal.test' }
    return portal.ask('/__gate/view-as', {
      method: 'POST',
      body,
      headers: { Cookie: cookie, ...form, ...headers },
    })
  }
  /** The cookies of a browser that looks at an edition. */
  async function begin(edition: string): Promise<string> {
    const response = await post({ action: 'begin', edition })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    return `${cookie}; ${cookieHeaderOf(response)}`
  }
  const seen = async (path: string, Cookie: string) => {
    const { status, body } = await whole(path, { Cookie })
    return {
      status,
      isSecret: body.includes(SECRET),
      isTold: body.includes('「すべての読者」の読者として'),
    }
  }

  it('shows an operator what everybody sees, says so on each page, and what they ask for is the 404 of nonsense', async () => {
    const Cookie = await begin('everyone')
    expect(await seen('/', Cookie)).toEqual({ status: 200, isSecret: false, isTold: true })
    for (const path of [OPS.path, CHUNK, '/duty'])
      expect(await whole(path, { Cookie })).toEqual(await whole('/docs/none', { Cookie }))
    const [told, account] = [
      await ask('/__gate/session', { Cookie, 'Sec-Fetch-Mode': 'cors' }),
      await ask('/__gate/account', { Cookie }),
    ]
    expect((await readObject(told)).release).toMatch(/-everyone$/)
    expect(await account.text()).toContain('自分の表示に戻る')
  })

  it('is not what an agent is let read: consent names the reader’s own edition, as the grant gives it', async () => {
    const Cookie = await begin('everyone')
    const text = await (await createTestClient(portal).show(Cookie)).text()
    expect(text).toContain('エディション: 運用担当')
    expect(text).not.toContain('すべての読者')
  })

  it('is offered on the account page, begins and ends by a form of ours, and is in the trail', async () => {
    expect(await (await ask('/__gate/account')).text()).toContain('すべての読者 として見る')
    const Cookie = await begin('everyone')
    const ended = await post({ action: 'end' }, { Cookie })
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining('Max-Age=0'),
    ])
    expect(await seen('/', cookie)).toEqual({ status: 200, isSecret: true, isTold: false })
    const lines = (await portal.records()).filter(({ event }) => String(event).startsWith('viewing_as'))
    expect(lines.slice(-2)).toMatchObject([
      { event: 'viewing_as_began', edition: 'everyone', email: 'a@example.co.jp' },
      { event: 'viewing_as_ended', edition: 'everyone', email: 'a@example.co.jp' },
    ])
    expect(
      (await post({ action: 'begin', edition: 'everyone' }, { Origin: 'https://evil.test' })).status,
    ).toBe(403)
  })

  it('never shows what its reader may not read, whatever they kept', async () => {
    const Cookie = await begin('operators')
    expect(await seen('/', Cookie)).toEqual({ status: 200, isSecret: true, isTold: false })
    portal.state.policy = policyOf(['other@example.co.jp'], ['writers'])
    expect(await seen('/', Cookie)).toEqual({ status: 200, isSecret: false, isTold: false })
    expect((await post({ action: 'begin', edition: 'operators' })).status).toBe(400)
    expect((await post({ action: 'begin', edition: 'none' })).status).toBe(400)
  })

  it('is for those alone whom the policy lets, at each request', async () => {
    const Cookie = await begin('everyone')
    portal.state.policy = policyOf(['a@example.co.jp'], [])
    expect(await seen('/', Cookie)).toEqual({ status: 200, isSecret: true, isTold: false })
    expect((await post({ action: 'begin', edition: 'everyone' })).status).toBe(400)
    expect(await (await ask('/__gate/account')).text()).not.toContain('として見る')
  })

  it('ends with its session: another one that brings the same cookie sees its own edition', async () => {
    const Cookie = (await begin('everyone')).replace(cookie, await portal.signIn({ jti: 'second' }))
    expect(await seen('/', Cookie)).toEqual({ status: 200, isSecret: true, isTold: false })
  })

  it('is no name in a cookie', async () => {
    portal.state.policy = policyOf(['a@example.co.jp'])
    for (const value of ['everyone', 'A'.repeat(50)])
      expect(await seen('/', `${cookie}; __Host-sekisho-view=${value}`)).toMatchObject({ isSecret: true })
  })
})
