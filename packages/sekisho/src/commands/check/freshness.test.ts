import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openStores } from '@sekisho/server/state'
import { expect, it } from 'vitest'
import { countAnswers } from '../access/trail-facts.ts'
import { runCheck } from './check.ts'

const NOW_MS = Date.parse('2026-11-21T10:00:00Z')

/** Packs pages with these metadata and runs the check in both languages and as JSON. */
async function checkPages(
  pages: Readonly<Record<string, Readonly<Record<string, string>>>>,
  readersOf: Readonly<Record<string, number>> = {},
) {
  await using build = await createTestBuild()
  for (const [name, fields] of Object.entries(pages)) {
    const metas = Object.entries(fields).map(
      ([key, value]) => `<meta name="sekisho-${key}" content="${value}">`,
    )
    await build.write(`docs/${name}/index.html`, pageHtml(name).replace('<head>', `<head>${metas.join('')}`))
  }
  await packRelease({ ...build, clock: () => NOW_MS })
  for (const [path, readers] of Object.entries(readersOf)) {
    const own = { databaseUrl: null, folder: dataFolderAt(build.dataDir), context: null, secrets: null }
    await using stores = await openStores({ ...own, onProblem: () => {}, now: () => NOW_MS })
    await stores.readership.note(
      '2026-11-09',
      Array.from({ length: readers }, (_, at) => [path, `${at}`]),
    )
    await stores.readership.closeWeeks('2026-11-16', '2025-01-06')
  }
  const run = async (lang: string, ...args: string[]) => {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const io = { env: { SEKISHO_LANG: lang }, cwd: build.root, clock: () => NOW_MS, print, complain: print }
    const exitCode = await runCheck(['--freshness', '--data-dir', build.dataDir, ...args], io)
    return { exitCode, printed }
  }
  return { ja: await run('ja'), en: await run('en'), json: await run('en', '--json') }
}

it('lists overdue reviews by owner, longest first, but no obsolete page', async () => {
  const { ja, en, json } = await checkPages({
    recent: { owner: '総務', review: '2026-11-20' },
    unowned: { review: '30d', reviewed: '2026-10-01' },
    old: { owner: '総務', review: '180d', reviewed: '2026-01-01' },
    today: { owner: '総務', review: '2026-11-21' },
    reviewed: { owner: '総務', review: '2026-11-01', reviewed: '2026-11-02' },
    obsolete: { owner: '総務', review: '2026-01-01', status: 'obsolete' },
    silent: { owner: '総務' },
  })
  expect(ja).toEqual({
    exitCode: 1,
    printed: [
      '総務: 期限超過 2 ページ',
      '  /docs/old/  old：期限は 2026-06-30（144 日超過）',
      '  /docs/recent/  recent：期限は 2026-11-20（1 日超過）',
      '（担当なし）: 期限超過 1 ページ',
      '  /docs/unowned/  unowned：期限は 2026-10-31（21 日超過）',
    ],
  })
  expect(en.printed.slice(2)).toEqual([
    '  /docs/recent/  recent: due 2026-11-20, 1 day ago',
    '(no owner): 1 overdue',
    '  /docs/unowned/  unowned: due 2026-10-31, 21 days ago',
  ])
  const report = JSON.parse(json.printed.join(''))
  expect([json.exitCode, report.ok]).toEqual([1, false])
  expect(report.overdue.map(({ path }: { path: string }) => path)).toEqual([
    '/docs/old/',
    '/docs/unowned/',
    '/docs/recent/',
  ])
  expect(report.overdue[1]).toEqual({
    ...{ path: '/docs/unowned/', title: 'unowned', owner: null, due: '2026-10-31', days: 21, uses: 0 },
  })
})

it('lists the page with the most readers first', async () => {
  const due = { owner: '総務', review: '2026-11-01' }
  const { json } = await checkPages(
    { few: due, many: { owner: '総務', review: '2026-11-20' } },
    { '/docs/many/': 5 },
  )
  const { overdue } = JSON.parse(json.printed.join(''))
  expect(overdue).toMatchObject([
    { path: '/docs/many/', uses: 5 },
    { path: '/docs/few/', uses: 0 },
  ])
})

it('counts answers by page, five at least, since a moment', async () => {
  const line = (at: string, ...passages: string[]) =>
    JSON.stringify({ seq: 1, at, event: 'answer_read', passages: passages.map((path) => `${path} 0a1b`) })
  const lines = Array.from({ length: 5 }, () => line('2026-11-20T00:00:00Z', '/docs/a', '/docs/a'))
  const others = [line('2026-11-20T00:00:00Z', '/docs/b'), line('2025-11-20T00:00:00Z', '/docs/a')]
  const source = {
    ...{ listChains: async () => ['gate'], readHeads: async () => [], readRemovals: async () => [] },
    async *read() {
      yield { place: 'gate', firstLineNumber: 1, lines: [...lines, ...others] }
    },
  }
  expect([...(await countAnswers(source, NOW_MS - 86_400_000 * 30))]).toEqual([['/docs/a', 5]])
})

it('ends with 0 while no review is overdue', async () => {
  const { ja, json } = await checkPages({ fresh: { owner: '総務', review: '180d', reviewed: '2026-11-01' } })
  expect(ja).toEqual({
    exitCode: 0,
    printed: ['✔ 見直しの期限を過ぎたページも、原文より古い翻訳もありません。'],
  })
  expect([json.exitCode, JSON.parse(json.printed.join(''))]).toMatchObject([0, { ok: true, overdue: [] }])
})

it('lists translations behind their originals, furthest first', async () => {
  const { ja, json } = await checkPages({
    near: { behind: '1', 'translation-of': '/docs/base/' },
    far: { behind: '12' },
    level: { behind: '0' },
  })
  expect(ja).toEqual({
    exitCode: 1,
    printed: [
      '翻訳（ja）: 原文より古い 2 ページ',
      '  /docs/far/  far：原文の変更 12 回',
      '  /docs/near/  near：原文の変更 1 回',
    ],
  })
  const { ok, translations } = JSON.parse(json.printed.join(''))
  expect([ok, translations[1]]).toEqual([
    false,
    { path: '/docs/near/', title: 'near', lang: 'ja', behind: 1 },
  ])
})

it('explains a data folder without a release', async () => {
  await using build = await createTestBuild()
  const complained: string[] = []
  const io = { env: { SEKISHO_LANG: 'en' }, cwd: build.root, clock: () => NOW_MS, print: () => {} }
  const complain = (line: string) => void complained.push(line)
  expect(await runCheck(['--freshness', '--data-dir', build.dataDir], { ...io, complain })).toBe(1)
  expect(complained.join()).toMatch(/^sekisho check: no release in /)
})
