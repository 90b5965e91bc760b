import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { noteSiteLanguage } from '../../writing/site-language.ts'
import { indexSite, readSite } from './index-site.ts'

let outDir = ''
beforeAll(async () => {
  outDir = await mkdtemp(path.join(tmpdir(), 'sekisho-indexing-'))
})

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    path: `/docs/${at}`,
    file: `docs/${at}.html`,
    title: `頁 ${at}`,
  }))

it.each([0, 1, 63, 64, 300])('reads %i pages in their order, in threads or not', async (count) => {
  const pages = pagesOf(count)
  await mkdir(path.join(outDir, 'docs'), { recursive: true })
  for (const { file, title } of pages) {
    const html = `<html><body><main><article><h1>${title}</h1><p>手形</p></article></main></body></html>`
    await writeFile(path.join(outDir, file), html)
  }
  const read = await readSite({ outDir, pages }, async (found) => [...found])
  expect(read.map(({ title }) => title)).toEqual(pages.map(({ title }) => title))
})

it.each([10, 100])('says which of %i pages is missing', async (count) => {
  const pages = [...pagesOf(count - 1), { path: '/lost', file: 'lost.html', title: '無い' }]
  await expect(readSite({ outDir, pages }, async (found) => [...found])).rejects.toThrow('lost.html')
})

/** A build on a machine that may be busy with other things. */
const BUILD_MS = 600_000

it.each([
  [
    'ja',
    '1 ページは言葉だけで検索されます。search.embeddings のエンドポイントからベクトルを受け取れませんでした（応答は 503）。次のビルドでもう一度問い合わせます。',
  ],
  [
    'en',
    'The search finds 1 pages by words only: the endpoint of search.embeddings gave them no vectors (it answered 503). The next build asks again.',
  ],
])(
  'says in the language of the site (%s) what its search does without',
  async (locale, sentence) => {
    const server = createServer((_, response) => response.writeHead(503).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    try {
      await mkdir(path.join(outDir, 'docs'), { recursive: true })
      const html = '<html><body><main><article><h1>手形</h1><p>期日</p></article></main></body></html>'
      await writeFile(path.join(outDir, 'docs/0.html'), html)
      const source = { model: 'ours', queryPrefix: '', documentPrefix: '' }
      const embeddings = { ...source, url: `http://127.0.0.1:${port}/v1/embeddings` }
      const vocabulary = { words: [], synonyms: [], embeddings }
      noteSiteLanguage(locale)
      const cacheDir = path.join(outDir, `cache-${locale}`)
      await indexSite({ outDir, cacheDir, pages: pagesOf(1), versions: [], vocabulary })
      expect(warn.mock.calls).toEqual([[sentence]])
    } finally {
      warn.mockRestore()
      server.close()
    }
  },
  BUILD_MS,
)
