import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIndex, type IndexPage } from '../src/indexer/index.ts'
import { openIndex, type SearchEngine } from '../src/query/index.ts'

/** An index of some pages in a folder of its own. */
export interface FixtureIndex {
  readonly engine: SearchEngine
  /** Ids of the pages found, best first. */
  find(q: string, limit?: number): string[]
  remove(): void
}

/** Builds and opens an index. */
export async function createFixtureIndex(pages: readonly IndexPage[]): Promise<FixtureIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-search-test-'))
  const outFile = join(folder, 'search.db')
  await buildIndex({ pages, outFile, cacheDir: join(folder, 'cache') })
  const engine = openIndex(outFile)
  return {
    engine,
    find: (q, limit = 50) => engine.search({ q, limit }).results.map((result) => result.id),
    remove() {
      engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A page of one section. */
export function page(id: string, title: string, text: string, more: Partial<IndexPage> = {}): IndexPage {
  const section = { heading: '', level: 0, anchor: '', text }
  return { id, url: `/docs/${id}`, title, kind: 'docs', breadcrumbs: ['文書'], sections: [section], ...more }
}
