import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIndex, type IndexPage } from '@sekisho/search/indexer'
// biome-ignore lint/style/noRestrictedImports: only the engine can tell whether what was indexed is found
import { openIndex } from '@sekisho/search/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSite } from './index-site.ts'

type Query = { readonly q: string; readonly c: string; readonly rel?: readonly { readonly id: string }[] }

const file = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const BUILD = file('../../../../../site/build')
const QUERIES = file('../../../../search/eval')

/** `npm test` builds the portal first; a single test by hand may lack it. */
const isBuilt = existsSync(path.join(BUILD, '__sekisho/site.json'))
const isRequired = process.env.CI === 'true'

describe.skipIf(!isBuilt && !isRequired)("the portal's own pages", () => {
  let pages: readonly IndexPage[] = []
  let folder = ''
  let search: (q: string) => readonly string[] = () => []

  beforeAll(async () => {
    if (!isBuilt) throw new Error(`There is no built portal in ${BUILD}: run npm run build first`)
    const siteJson = JSON.parse(readFileSync(path.join(BUILD, '__sekisho/site.json'), 'utf8'))
    pages = await readSite({ outDir: BUILD, pages: siteJson.pages }, async (read) => [...read])
    folder = await mkdtemp(path.join(tmpdir(), 'sekisho-portal-index-'))
    const outFile = path.join(folder, 'search.db')
    await buildIndex({ pages, outFile, cacheDir: path.join(folder, 'cache') })
    const engine = openIndex(outFile)
    search = (q) => engine.search({ q }).results.map((result) => result.id)
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('are all indexed, listings are not', () => {
    const ids = pages.map((page) => page.id)
    expect(ids).toEqual(
      expect.arrayContaining([
        '/docs/sekisho-overview',
        '/knowledge/example',
        '/blog/welcome',
        '/markdown-page',
      ]),
    )
    expect(
      ids.filter((id) => /\/(?:category|tags|authors|archive)(?:\/|$)|^\/(?:search|blog|docs)$/.test(id)),
    ).toEqual([])
  })

  it.each([
    ['what readers type', 'portal-queries.json', 0.86, 0.95],
    ['questions in other words', 'other-words/portal.json', 0.4, 0.7],
  ])('are found by %s', (_, name, first, amongFive) => {
    const queries: Query[] = JSON.parse(readFileSync(path.join(QUERIES, name), 'utf8'))
    const indexed = new Set(pages.map((page) => page.id))
    const named = queries.flatMap(({ rel = [] }) => rel.map(({ id }) => id))
    expect(named.filter((id) => !indexed.has(id))).toEqual([])
    const ranks = queries.map(({ q, rel = [] }) => ({
      q,
      rank: rankOf(
        search(q),
        rel.map(({ id }) => id),
      ),
    }))
    const share = (limit: number): number => ranks.filter(({ rank }) => rank <= limit).length / ranks.length
    const missed = ranks.filter(({ rank }) => rank > 5).map(({ q }) => q)
    expect(share(1), `first result right; beyond the fifth: ${missed.join(' ')}`).toBeGreaterThanOrEqual(
      first,
    )
    expect(share(5), `beyond the fifth: ${missed.join(' ')}`).toBeGreaterThanOrEqual(amongFive)
  })
})

/** Rank of the first right page, from 1. A query without right pages should find nothing. */
function rankOf(found: readonly string[], right: readonly string[]): number {
  if (right.length === 0) return found.length === 0 ? 1 : Number.POSITIVE_INFINITY
  const at = found.findIndex((id) => right.includes(id))
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}
