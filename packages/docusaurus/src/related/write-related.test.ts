import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { DocsVersion } from '../content/loaded-content.ts'
import { indexSite } from '../search/indexing/index-site.ts'
import { writeRelated } from './write-related.ts'

const VERSIONS: DocsVersion[] = [
  { plugin: 'default', path: '/docs/1.0/', isLast: false },
  { plugin: 'default', path: '/docs/', isLast: true },
]
const JAPANESE = ['証明書の更新', '証明書の失効', '在庫の棚卸し', '請求書の発行', '請求書の <取消>']
const ENGLISH = ['Renewing a certificate', 'Revoking a certificate', 'Counting the stock']

/** A site of both languages in two versions, with the same subjects in all of them. */
async function buildSite(): Promise<{
  outDir: string
  pages: { path: string; file: string; title: string }[]
}> {
  const outDir = mkdtempSync(path.join(tmpdir(), 'sekisho-related-'))
  const others = ['頁', 'Page'].flatMap((word) => Array.from({ length: 8 }, (_, at) => `${word} ${at}`))
  const pages = VERSIONS.flatMap(({ path: base }) =>
    [...JAPANESE, ...ENGLISH, ...others].map((title, at) => {
      const name = `${base}${at}`
      return { path: name, file: `${name.slice(1)}.html`, title }
    }),
  )
  const records: object[] = []
  for (const { path: route, file, title } of pages) {
    const page = { path: route, layouts: [], attributes: {}, modules: {}, chunks: {}, context: { plugin: 1 } }
    records.push(page)
    const next =
      title === '請求書の <取消>'
        ? `<a class="pagination-nav__link" href="${route.replace(/\d+$/, '3')}">x</a>`
        : ''
    const html = `<html class="plugin-docs plugin-id-default docs-doc-id-a"><body><main><article><div class="theme-doc-markdown"><h1>${title}</h1><p>${title} ${title}</p></div></article><div class="sekisho-related"></div>${next}</main><script id="__sekisho_page" type="application/json">${JSON.stringify({ index: '', page, nodes: {} })}</script></body></html>`
    mkdirSync(path.dirname(path.join(outDir, file)), { recursive: true })
    writeFileSync(path.join(outDir, file), html.replaceAll('<取消>', '&lt;取消&gt;'))
  }
  mkdirSync(path.join(outDir, 'assets/table'), { recursive: true })
  writeFileSync(path.join(outDir, 'assets/table/index.a.latest.json'), '[["/","block.json"]]')
  writeFileSync(path.join(outDir, 'assets/table/block.json'), JSON.stringify(records))
  await indexSite({ outDir, cacheDir: path.join(outDir, 'cache'), pages, versions: VERSIONS })
  return { outDir, pages }
}

it('links documents to others of their subject, language and version, in the page and for navigation', async () => {
  const { outDir, pages } = await buildSite()
  writeRelated(outDir, pages, VERSIONS, '関連ページ')
  const linksOf = (at: string) => {
    const html = readFileSync(path.join(outDir, `docs/${at}.html`), 'utf8')
    const first = JSON.parse(/json">(.*?)<\/script>/.exec(html)?.[1] ?? '')
    const links = [...html.matchAll(/<li><a href="(.*?)">(.*?)<\/a>/g)].map(([, url, title]) => [url, title])
    return { links, data: first.page.context.data?.related.links ?? [] }
  }
  expect(linksOf('0').links).toEqual([['/docs/1', '証明書の失効']])
  expect(linksOf('1.0/5').links).toEqual([['/docs/1.0/6', 'Revoking a certificate']])
  expect(linksOf('3').links).toEqual([['/docs/4', '請求書の &lt;取消>']])
  expect(linksOf('3').data).toEqual([['請求書の <取消>', '/docs/4']])
  expect(linksOf('4').links, 'its neighbour').toEqual([])
  expect(linksOf('2').links, 'no other of its subject').toEqual([])
  const [block = ''] = readdirSync(path.join(outDir, 'assets/table')).filter((name) =>
    name.startsWith('block'),
  )
  const records: { path: string; context: object }[] = JSON.parse(
    readFileSync(path.join(outDir, 'assets/table', block), 'utf8'),
  )
  expect(records.find(({ path: route }) => route === '/docs/1.0/0')?.context).toEqual({
    plugin: 1,
    data: { related: { heading: '関連ページ', links: [['証明書の失効', '/docs/1.0/1']] } },
  })
})
