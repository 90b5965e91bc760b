import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { openReleases } from '../../releases/open-releases.ts'
import { openSqliteAcknowledgements } from '../../state/acknowledgements/index.ts'
import { cookieHeaderOf, createTestGate, NAVIGATION, ORIGIN, type TestGate } from '../../testing/test-gate.ts'
import { createReleaseChanges } from './release-changes.ts'
import { createWhatsNew } from './whats-new.ts'

const GUIDE = '/docs/guide'
const WHATS_NEW = '/__gate/whats-new'
const DAY_MS = 86_400_000

let all: TestBuild
let ops: TestBuild
let day: number
let cleanup: AsyncDisposableStack
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  ;[all, ops] = [cleanup.use(await createTestBuild()), cleanup.use(await createTestBuild())]
  day = 0
})
afterEach(() => cleanup.disposeAsync())

/** A page of which this sentence is a part, with a script whose name changes with each build. */
const page = (title: string, sentence: string) =>
  pageHtml(title).replace('<body>', `<body><p>${sentence}</p><img src="/img/photo.png?${day}" alt="図">`)

/** Publishes the next day. */
async function publish(build: Pick<TestBuild, 'buildDir'> | null = all): Promise<string> {
  const clock = () => Date.UTC(2026, 9, 1) + ++day * DAY_MS
  const editions = [
    { name: 'operators', audiences: ['operators'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ]
  const { dataDir } = all
  return (await packRelease(build === null ? { editions, dataDir, clock } : { ...build, dataDir, clock })).id
}

async function openGate(): Promise<TestGate> {
  const { releasesDir, root } = all
  const releases = await openReleases({ releasesDir, checkEveryMs: 0 })
  const { visits, close } = openSqliteAcknowledgements(join(root, 'records.db'))
  cleanup.defer(close)
  const changes = createReleaseChanges(releasesDir)
  const now = (): number => portal.state.nowMs
  const whatsNew = createWhatsNew({ origin: ORIGIN, visits, changes, timeZone: 'Asia/Tokyo', now })
  const portal: TestGate = cleanup.use(await createTestGate({ releases, whatsNew }))
  return portal
}

async function open(portal: TestGate, Cookie: string, path: string) {
  const response = await portal.ask(path, { headers: { ...NAVIGATION, Cookie } })
  return { response, text: await response.text() }
}

const act = (portal: TestGate, Cookie: string, action: string, headers: Record<string, string> = {}) =>
  portal.ask(WHATS_NEW, {
    method: 'POST',
    headers: {
      ...{ Cookie, Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      ...headers,
    },
    body: `action=${action}`,
  })

/** A page does not wait for the comparison of releases; this one does, and keeps it for the pages. */
const compare = (portal: TestGate, cookie: string) => open(portal, cookie, WHATS_NEW)

const timing = ({ response }: Awaited<ReturnType<typeof open>>) =>
  response.headers.get('server-timing')?.includes('updates')

describe('a reader who comes back', () => {
  it('is shown changed pages, on these pages too, until all is read', async () => {
    await all.write('docs/guide/index.html', page('手引き', '申請は三日以内に出します。'))
    await publish()
    const portal = await openGate()
    const cookie = await portal.signIn()
    expect((await open(portal, cookie, GUIDE)).text).not.toContain('data-sekisho-news')
    await all.write('docs/guide/index.html', page('手引き', '申請は五日以内に出します。'))
    await all.write('docs/new/index.html', page('新しい手順', '新しい文。'))
    await all.write('docs/base/index.html', pageHtml('基本').replace('<head>', '<head><script>1</script>'))
    const listing = page('分類の一覧', '新しい手順').replace(
      '<html',
      '<html class="plugin-blog blog-tags-post-list-page"',
    )
    await all.write('blog/tags/new/index.html', listing)
    const pages = [
      ...SITE.pages,
      { path: '/docs/new', file: 'docs/new/index.html', title: '新しい手順' },
      { path: '/blog/tags/new', file: 'blog/tags/new/index.html', title: '分類の一覧' },
    ]
    await all.writeSite({ pages })
    await publish()

    await compare(portal, cookie)
    const changed = await open(portal, cookie, GUIDE)
    expect(changed.text).toContain('このページは前回の訪問から更新されています。')
    expect(timing(changed)).toBe(true)
    const other = await open(portal, cookie, '/docs/base/')
    expect(other.text).not.toContain('data-sekisho-news')
    expect(timing(other)).toBe(true)
    expect((await open(portal, cookie, '/__gate/account')).text).toContain(`href="${WHATS_NEW}"`)
    const list = (await open(portal, cookie, WHATS_NEW)).text
    for (const text of ['手引き', '新しい手順', '新規', '変更点を見る']) expect(list).toContain(text)
    for (const text of ['基本', '分類の一覧']) expect(list).not.toContain(text)
    const compared = (await open(portal, cookie, `${WHATS_NEW}?page=${GUIDE}`)).text
    expect(compared).toContain('<del>三日</del><ins>五日</ins>')
    const { pages: updates } = JSON.parse((await open(portal, cookie, '/__gate/updates')).text)
    expect(updates).toEqual([
      { path: GUIDE, kind: 'changed' },
      { path: '/docs/new', kind: 'new' },
    ])

    expect((await act(portal, cookie, 'seen')).status).toBe(303)
    const after = await open(portal, cookie, GUIDE)
    expect(after.text).not.toContain('data-sekisho-news')
    expect(timing(after)).toBe(false)
  })

  it('keeps the marks through a visit, and begins the next one with what was seen in this', async () => {
    await publish()
    const portal = await openGate()
    const cookie = await portal.signIn()
    await open(portal, cookie, GUIDE)
    await all.write('docs/guide/index.html', page('手引き', '変わりました。'))
    await publish()
    await compare(portal, cookie)
    for (const ms of [0, 11 * 60_000, 11 * 60_000]) {
      portal.state.nowMs += ms
      expect(timing(await open(portal, cookie, GUIDE))).toBe(true)
    }
    portal.state.nowMs += 5 * 3_600_000
    const next = await portal.signIn()
    expect(timing(await open(portal, next, GUIDE))).toBe(false)
  })

  it('stops and deletes the record, and starts it again', async () => {
    await publish()
    const portal = await openGate()
    const cookie = await portal.signIn()
    await open(portal, cookie, GUIDE)
    expect((await act(portal, cookie, 'off')).status).toBe(303)
    await all.write('docs/guide/index.html', page('手引き', '変わりました。'))
    await publish()
    expect(timing(await open(portal, cookie, GUIDE))).toBe(false)
    expect((await open(portal, cookie, WHATS_NEW)).text).toContain('停止しています')
    await act(portal, cookie, 'on')
    await all.write('docs/guide/index.html', page('手引き', 'また変わりました。'))
    await publish()
    await compare(portal, cookie)
    expect(timing(await open(portal, cookie, GUIDE))).toBe(true)
  })

  it('is told so where the earlier release is no longer kept', async () => {
    const first = await publish()
    const portal = await openGate()
    const cookie = await portal.signIn()
    await open(portal, cookie, GUIDE)
    await all.write('docs/guide/index.html', page('手引き', '変わりました。'))
    await publish()
    await rm(join(all.releasesDir, first), { recursive: true })
    expect(timing(await open(portal, cookie, GUIDE))).toBe(false)
    expect((await open(portal, cookie, WHATS_NEW)).text).toContain('保存期間を過ぎました')
  })

  it.each([
    ['another site', { Origin: 'https://evil.test' }, 'seen', 403],
    ['an unknown action', {}, 'all', 400],
    ['a stranger', { Cookie: '' }, 'seen', 401],
  ])('refuses %s', async (_name, headers: Record<string, string>, action, status) => {
    await publish()
    const portal = await openGate()
    expect((await act(portal, await portal.signIn(), action, headers)).status).toBe(status)
  })
})

describe('a reader of one edition', () => {
  const SECRET = '夜間の当番表'
  const OPS = { path: '/docs/ops', file: 'docs/ops/index.html', title: SECRET }
  const policyWith = (operators: readonly string[]) => readPolicy(['example.co.jp'], [], { operators }).policy

  it('is told nothing of another one, by any route', async () => {
    await ops.writeSite({ pages: [...SITE.pages, OPS] })
    await ops.write(OPS.file, page(SECRET, 'まだ秘密。'))
    await publish(null)
    const portal = await openGate()
    portal.state.policy = policyWith([])
    const cookie = await portal.signIn()
    await open(portal, cookie, GUIDE)
    await ops.write(OPS.file, page(SECRET, '秘密が変わった。'))
    await publish(null)
    for (const path of [WHATS_NEW, '/__gate/changes.atom', '/__gate/updates', GUIDE])
      expect((await open(portal, cookie, path)).text).not.toContain(SECRET)
    const whole = async (path: string) => {
      const { response, text } = await open(portal, cookie, `${WHATS_NEW}?page=${path}`)
      return {
        status: response.status,
        headers: [...response.headers].filter(([name]) => name !== 'x-request-id'),
        text,
      }
    }
    const nonsense = await whole('/docs/nonsense')
    expect(nonsense.status).toBe(404)
    expect((await whole(OPS.path)).status).toBe(404)
    portal.state.policy = policyWith(['@example.co.jp'])
    expect((await open(portal, cookie, '/__gate/changes.atom')).text).toContain(SECRET)
    expect(timing(await open(portal, cookie, GUIDE))).toBe(false)
    expect((await open(portal, cookie, `${WHATS_NEW}?page=${OPS.path}`)).text).not.toContain('<ins>')
  })

  it('is not shown what was removed from the page and is for others now', async () => {
    for (const build of [all, ops])
      await build.write('docs/guide/index.html', page('手引き', `${SECRET}です。`))
    await publish(null)
    const portal = await openGate()
    portal.state.policy = policyWith([])
    const cookie = await portal.signIn()
    await open(portal, cookie, GUIDE)
    await all.write('docs/guide/index.html', page('手引き', '別のページを見てください。'))
    await publish(null)
    const { text } = await open(portal, cookie, `${WHATS_NEW}?page=${GUIDE}`)
    expect(text).toContain('<ins>')
    expect(text).not.toContain('当番表')
  })
})

describe('the feed', () => {
  it('is Atom, for the reader and their own token, and for no agent', async () => {
    await publish()
    const portal = await openGate()
    const cookie = await portal.signIn()
    await all.write('docs/guide/index.html', page('手引き', '変わりました。'))
    await all.writeSite({
      pages: SITE.pages.map((one) => (one.path === GUIDE ? { ...one, title: '手引き & <b>\u0001' } : one)),
    })
    const id = await publish()
    const made = await portal.ask('/__gate/account', {
      method: 'POST',
      headers: { Cookie: cookie, Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'action=make-token&name=feed&days=30',
    })
    const [token = ''] = /sekisho_personal_[\w-]{43}/.exec(await made.text()) ?? []
    for (const headers of [{ Cookie: cookieHeaderOf(made) }, { Authorization: `Bearer ${token}` }]) {
      const response = await portal.ask('/__gate/changes.atom', { headers })
      expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
      const xml = await response.text()
      expect(xml).toContain(`<id>https://portal.test${GUIDE}#${id}</id>`)
      expect(xml.slice(xml.indexOf('<entry'))).toContain('手引き &#38; &#60;b&#62;')
      expect(xml.match(/<entry>/g)).toHaveLength(1)
    }
    portal.state.nowMs += 1_000
    const Authorization = await portal.signInAgent()
    for (const path of ['/__gate/changes.atom', WHATS_NEW, '/__gate/updates'])
      expect((await portal.ask(path, { headers: { Authorization } })).status).toBe(401)
    expect((await portal.ask(WHATS_NEW, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401)
  })
})

it('slows an account that asks without end, and no other', async () => {
  await publish()
  const portal = await openGate()
  const [cookie, other] = [
    await portal.signIn({ jti: 'a' }),
    await portal.signIn({ sub: 'b', email: 'b@example.co.jp', jti: 'b' }),
  ]
  const ask = async (Cookie: string) =>
    (await portal.ask('/__gate/changes.atom', { headers: { Cookie } })).status
  for (let asked = 0; asked < 60; asked += 1) expect(await ask(cookie)).toBe(200)
  expect([await ask(cookie), await ask(other)]).toEqual([429, 200])
})
