import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE } from '@sekisho/release/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEditionChoice } from './access/choose-edition.ts'
import { type AccessPolicy, readPolicy } from './access/policy.ts'
import { openReleases } from './releases/open-releases.ts'
import { createTestGate, NAVIGATION, readObject, type TestGate } from './testing/test-gate.ts'

const OPS = { path: '/docs/ops', file: 'docs/ops/index.html', title: '運用' }
const SECRET = '夜間の当番表'
const CHUNK = '/assets/js/ops.0a1b2c3d.js'
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
    { name: 'operators', audiences: ['operators'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ]
  await packRelease({ editions, dataDir: ops.dataDir, clock: () => Date.UTC(2026, 10, 21) })
  const choose = createEditionChoice(() => portal.state.policy)
  portal = cleanup.use(
    await createTestGate({ releases: await openReleases({ releasesDir: ops.releasesDir, choose }) }),
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
    expect(page).toContain('グループ: operators')
    expect(page).toContain('読んでいるエディション: operators')
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
