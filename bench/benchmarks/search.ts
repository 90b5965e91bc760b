import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSite } from '@sekisho/docusaurus/indexing'
import { type LabelledQuery, measure, readQueries, writeCorpus } from '@sekisho/search/eval'
import type { Row } from '../report.ts'
import { engines } from '../search/engines/index.ts'
import { installPeers } from '../search/engines/peer-modules.ts'
import { askWith, buildWith } from '../search/run-engine.ts'
import { CACHE_DIR } from '../subjects/subject.ts'
import { type Benchmark, type Options, OURS } from './benchmark.ts'

const BUILD = fileURLToPath(new URL('../../site/build', import.meta.url))
const PORTAL_QUERIES = fileURLToPath(
  new URL('../../packages/search/eval/portal-queries.json', import.meta.url),
)
const MEGABYTE = 1024 * 1024

/** The same pages and labelled queries for every engine: what it finds, how fast, and what it costs to have. */
export const search: Benchmark = {
  name: 'search',
  async run(options: Options) {
    const corpus = options.corpus ?? (await writePortalCorpus())
    const queries = readQueries(options.queries ?? PORTAL_QUERIES)
    const problems: string[] = []
    const rows: Row[] = []
    installPeers()
    for (const { name } of engines.filter((one) => isAsked(one.name, options))) {
      try {
        rows.push({ subject: name, values: await measureEngine(name, corpus, queries) })
      } catch (error) {
        if (name === OURS) throw error
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    const about = `${queries.length} labelled queries on ${options.corpus ?? 'the pages of this portal'}. S@1, S@5: a right page first, among the first five. Each engine in processes of its own.`
    return { name: 'search', about, ours: OURS, rows, problems }
  },
}

async function measureEngine(engine: string, corpus: string, queries: readonly LabelledQuery[]) {
  const folder = join(CACHE_DIR, 'search', engine.replace(/\W+/g, '-'))
  const { buildMs } = await buildWith({ engine, corpus, folder })
  const served = await askWith({ engine, corpus, folder, queries: queries.map(({ q }) => q) })
  const measures = measure(queries.map((query, at) => ({ query, ids: served.found[at] ?? [] })))
  const sorted = served.times.toSorted((a, b) => a - b)
  const percentile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return {
    'S@1 %': measures.s1 * 100,
    'S@5 %': measures.s5 * 100,
    'zero hits %': (measures.zeroHits / queries.length) * 100,
    'p50 ms': percentile(0.5),
    'p99 ms': percentile(0.99),
    'load ms': served.loadMs,
    'memory MB': served.addedMb,
    'index MB': folderBytes(folder) / MEGABYTE,
    'build s': buildMs / 1000,
  }
}

const isAsked = (name: string, { filter }: Options): boolean =>
  name === OURS || name.toLowerCase().includes(filter.toLowerCase())

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

/** Without a corpus of one's own: what this repository has to say. */
async function writePortalCorpus(): Promise<string> {
  const siteJson = join(BUILD, '__sekisho', 'site.json')
  if (!existsSync(siteJson))
    throw new Error('There is no built portal: run npm run build, or name a --corpus')
  const { pages } = JSON.parse(readFileSync(siteJson, 'utf8'))
  const file = join(CACHE_DIR, 'portal.jsonl')
  writeCorpus(file, await readSite({ outDir: BUILD, pages, lastVersions: new Map() }))
  return file
}
