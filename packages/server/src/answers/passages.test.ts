import { expect, it } from 'vitest'
import { findPassages, type ReadablePages } from './passages.ts'

const asked = { question: '手形', page: '/p', selection: '', turns: [] }

/** Pages of which one is open; nothing is found by searching. */
function opened(markdown: string): ReadablePages {
  const page = { path: '/p', title: '手引き', url: '/p', sha256: 'a', markdown }
  return { search: async () => null, read: async () => page }
}

const first = async (markdown: string, selection: string) =>
  (await findPassages({ ...asked, selection }, Promise.resolve([]), opened(markdown))).passages[0]?.heading

it.each([
  ['within a section', '銀二匁', '通行料'],
  ['over the end of one', '見せる。## 通行料通行料は', '手形'],
  ['in several, the last of them', '関所', '通行料'],
  ['nowhere: the page from its beginning', '金三両', '手引き'],
])('a selection %s', async (_where, selection, heading) => {
  const page = '関所の手引き\n\n## 手形\n\n関所で見せる。\n\n## 通行料\n\n通行料は銀二匁。関所で払う。\n'
  expect(await first(page, selection)).toBe(heading)
})

it('searches for the question while the model rewrites it', async () => {
  const { promise: rewriting, resolve } = Promise.withResolvers<readonly string[]>()
  const searched: string[] = []
  const search = async (q: string) => {
    searched.push(q)
    if (q === asked.question) resolve(['通行手形'])
    return null
  }
  await findPassages(asked, rewriting, { ...opened(''), search })
  expect(searched).toEqual(['手形', '通行手形'])
})

it('is found in a page of many headings without reading each rest of the page', async () => {
  const page = Array.from({ length: 8_000 }, (_, at) => `## 見出し ${at}\n\n本文 ${at}。\n`).join('\n')
  const before = process.threadCpuUsage()
  expect(await first(page, '本文 17。')).toBe('見出し 17')
  const { user } = process.threadCpuUsage(before)
  expect(user / 1_000).toBeLessThan(2_000) // 13 s when each rest was read
}, 60_000)
