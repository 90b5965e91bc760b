import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openReleases } from '../../releases/open-releases.ts'
import { createFindGaps } from '../../releases/search-gaps.ts'
import { openSqliteAcknowledgements } from '../../state/acknowledgements/index.ts'
import { createFileSearchLog } from '../../state/search-log/index.ts'
import { createTestGate, NAVIGATION } from '../../testing/test-gate.ts'
import { createReaderCounts } from '../reading/reader-counts.ts'
import { createOwnedPages } from './owned-pages.ts'

const OWNED = '/__gate/owned'
const WEEK_MS = 7 * 86_400_000

let cleanup: AsyncDisposableStack
beforeEach(() => {
  cleanup = new AsyncDisposableStack()
})
afterEach(() => cleanup.disposeAsync())

async function openGate() {
  const build = cleanup.use(await createTestBuild())
  const asks =
    '<meta name="sekisho-acknowledge" content="all"><meta name="sekisho-acknowledge-due" content="2026-11-16">'
  const owned = (owner: string) =>
    pageHtml('手引き').replace('<head>', `<head><meta name="sekisho-owner" content="${owner}">${asks}`)
  await build.write('docs/guide/index.html', owned('owner@example.co.jp'))
  await build.write('docs/base/index.html', owned('other@example.co.jp'))
  const state = { nowMs: Date.parse('2026-11-18T00:00Z'), missing: [] as string[], read: [] as unknown[] }
  const now = () => state.nowMs
  await packRelease({ ...build, clock: now })
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-owned-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const records = openSqliteAcknowledgements(join(folder, 'records.db'))
  const { readership } = records
  cleanup.defer(records.close)
  const people = { named: ['a@example.co.jp', 'b@example.co.jp'] as readonly string[] | null }
  const releases = await openReleases({ releasesDir: build.releasesDir, checkEveryMs: 0 })
  const searchLog = createFileSearchLog(join(folder, 'search'))
  const nearest = new Map([
    ['有給の申請', '/docs/guide'],
    ['他人のページ', '/docs/base/'],
  ])
  const editions = async () =>
    (await releases.editions()).map((served) => ({ ...served, search: () => ({ file: '', sha256: '' }) }))
  const findGaps = createFindGaps({
    ...{ releases: { editions }, searchLog, now },
    searches: { run: async (_account, { query: { q } }) => ({ pages: [nearest.get(q) ?? '/'] }) },
  })
  const clock = { now, timeZone: 'Asia/Tokyo' }
  const counts = createReaderCounts({ readership, digest: (text) => `digest of ${text}`, ...clock })
  const portal = cleanup.use(
    await createTestGate({
      releases: { ...releases, editions },
      acknowledgements: records,
      ownedPages: createOwnedPages({
        ...{
          readership,
          findGaps,
          acknowledgements: records,
          asked: async () => new Map([['revision 1', people.named]]),
          ...clock,
        },
        audit: {
          recordReading({ more }) {
            state.read.push(more)
            return null
          },
        },
      }),
      counts: { ...counts, missing: (_reader, path) => void state.missing.push(path) },
    }),
  )
  const cookies = new Map<string, Promise<string>>()
  const signIn = (name: string) => {
    const cookie = cookies.get(name) ?? portal.signIn({ sub: name, email: `${name}@example.co.jp` })
    cookies.set(name, cookie)
    return cookie
  }
  const open = async (cookie: string, path: string, headers: Record<string, string> = {}) =>
    (await portal.ask(path, { headers: { ...NAVIGATION, Cookie: cookie, ...headers } })).text()
  return { state, counts, readership, searchLog, signIn, open, portal, records, people }
}

it('shows owners how many opened their pages in a week, from five on, and names none of them', async () => {
  const { state, counts, signIn, open, readership } = await openGate()
  const owner = await signIn('owner')
  for (const name of ['a', 'b', 'c', 'd', 'e', 'a']) await open(await signIn(name), '/docs/guide')
  await open(owner, '/docs/base/')
  await counts.write()
  expect(await open(owner, OWNED)).not.toContain(': 5 人')
  state.nowMs += WEEK_MS
  await counts.write()
  const page = await open(owner, OWNED)
  expect(page).toContain('aria-label="2026年11月16日 の週: 5 人"')
  for (const text of ['/docs/base/', '180 日間開かれていません']) expect(page).not.toContain(text)
  expect(await readership.ofPages(['/docs/base/'], '2026-01-01')).toMatchObject([{ readers: 0 }])
  const account = await open(owner, '/__gate/account')
  for (const path of [OWNED, '/__gate/records']) expect(account).toContain(`href="${path}"`)
  expect(await open(await signIn('a'), '/__gate/account')).not.toContain(`href="${OWNED}"`)
})

it('counts no agent, no prefetch, and nothing that another edition is looked at for', async () => {
  const { counts, signIn, open, portal, readership, state } = await openGate()
  const cookie = await signIn('a')
  await open(cookie, '/docs/guide', { 'Sec-Purpose': 'prefetch' })
  await portal.ask('/docs/guide', {
    headers: { Authorization: await portal.signInAgent({ sub: 'b', email: 'b@example.co.jp' }) },
  })
  await counts.write()
  state.nowMs += WEEK_MS
  await counts.write()
  expect(await readership.ofPages(['/docs/guide'], '2026-01-01')).toEqual([])
})

it('shows what was looked for in vain near the pages of the owner alone, and tells of addresses that do not exist', async () => {
  const { searchLog, signIn, open, state } = await openGate()
  for (let count = 0; count < 5; count += 1)
    for (const q of ['有給の申請', '他人のページ'])
      await searchLog.append('2026-11-17', { q, hits: 0, reader: `2026-11-16 ${count}` })
  const owner = await signIn('owner')
  const page = await open(owner, OWNED)
  expect(page).toContain('有給の申請')
  expect(page).not.toContain('他人のページ')
  await open(owner, '/docs/moved')
  await open(owner, '/img/none.png', { 'Sec-Fetch-Dest': 'image' })
  expect(state.missing).toEqual(['/docs/moved'])
})

it('names to owners alone who has acknowledged their pages and who is late, a hundred of each, and records that it did', async () => {
  const { records, people, state, signIn, open } = await openGate()
  const one = { issuer: 'i', page: '', text: '', release: 'r', version: 'revision 1', atMs: 0 }
  const acknowledge = (email: string, path = '/docs/guide', version = one.version) =>
    records.add({ ...one, version, path, sub: email, email })
  await acknowledge('A@example.co.jp')
  await acknowledge('b@example.co.jp', '/docs/guide', 'revision 0')
  await acknowledge('of-another-page@example.co.jp', '/docs/base/')
  const owner = await signIn('owner')
  const page = await open(owner, OWNED)
  for (const text of [
    '期限を過ぎています',
    '確認済み 1 人、未確認 1 人',
    'A@example.co.jp (',
    '<li>b@example.co.jp',
  ])
    expect(page).toContain(text)
  for (const text of ['<li>a@example', 'of-another-page', 'b@example.co.jp ('])
    expect(page).not.toContain(text)
  expect(state.read).toEqual([{ acknowledgements: ['/docs/guide'] }])
  expect(await open(await signIn('other'), OWNED)).not.toContain('A@example.co.jp')
  expect(await open(await signIn('a'), OWNED)).not.toContain('確認の状況')
  for (let count = 0; count < 150; count += 1) await acknowledge(`more-${count}@example.co.jp`)
  people.named = Array.from({ length: 250 }, (_, at) => `late-${at}@example.co.jp`)
  const long = await open(owner, OWNED)
  for (const text of ['ほか 51 人', 'ほか 150 人']) expect(long).toContain(text)
  expect(long.match(/more-/g)).toHaveLength(99)
  people.named = null
  expect(await open(owner, OWNED)).toContain('未確認の人はここでは分かりません')
})
