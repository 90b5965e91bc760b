import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openIndexFile } from '../src/format/open.ts'
import { buildIndex, type IndexPage } from '../src/indexer/index.ts'
import { openIndex, type SearchEngine } from '../src/query/index.ts'
import { allGroups } from '../src/query/read/expression.ts'
import { planQuery } from '../src/query/read/plan.ts'
import type { Reader } from '../src/query/read/terms/reader.ts'
import { createLexicon } from '../src/query/read/words/lexicon.ts'
import { createSpelling } from '../src/query/read/words/spelling.ts'
import { createStore } from '../src/query/retrieve/store.ts'

/** An index of some pages in a folder of its own. */
export interface FixtureIndex {
  readonly engine: SearchEngine
  /** Ids of the pages found, best first. */
  find(q: string, limit?: number): string[]
  /** Number of index lookups for reading a query, and the length of the resulting expression. */
  costOf(q: string): { readonly lookups: number; readonly expression: number }
  remove(): void
}

/** Builds and opens an index. */
export async function createFixtureIndex(pages: readonly IndexPage[]): Promise<FixtureIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-search-test-'))
  const outFile = join(folder, 'search.db')
  await buildIndex({ pages, outFile, cacheDir: join(folder, 'cache') })
  const engine = openIndex(outFile)
  const database = openIndexFile(outFile)
  return {
    engine,
    find: (q, limit = 50) => engine.search({ q, limit }).results.map((result) => result.id),
    costOf: (q) => readingCost(q, database),
    remove() {
      engine.close()
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readingCost(q: string, database: DatabaseSync): { lookups: number; expression: number } {
  let lookups = 0
  const counted = <Method extends (...given: never[]) => unknown>(method: Method) =>
    ((...given: Parameters<Method>) => {
      lookups += 1
      return method(...given)
    }) as Method
  const lexicon = createLexicon(database)
  const store = createStore(database)
  const reader: Reader = {
    lexicon: {
      find: counted(lexicon.find),
      withPrefix: counted(lexicon.withPrefix),
      hasPrefix: counted(lexicon.hasPrefix),
      readAs: counted(lexicon.readAs),
      readLooselyAs: counted(lexicon.readLooselyAs),
      readingPrefix: counted(lexicon.readingPrefix),
      japaneseFor: counted(lexicon.japaneseFor),
      hasSynonyms: counted(lexicon.hasSynonyms),
      synonymsOf: counted(lexicon.synonymsOf),
    },
    findSimilar: counted(createSpelling(database)),
    exists: counted(store.exists),
    count: counted(store.count),
    isExact: false,
    isPasted: false,
    corrections: [],
    guesses: [],
  }
  const { groups } = planQuery(q, reader)
  return { lookups, expression: groups.length === 0 ? 0 : allGroups(groups).length }
}

/** A page of one section. */
export function page(id: string, title: string, text: string, more: Partial<IndexPage> = {}): IndexPage {
  const section = { heading: '', level: 0, anchor: '', text }
  return { id, url: `/docs/${id}`, title, kind: 'docs', breadcrumbs: ['文書'], sections: [section], ...more }
}
