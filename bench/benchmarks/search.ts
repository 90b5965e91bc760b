import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSite } from '@sekisho/docusaurus/indexing'
import { type LabelledQuery, measure, type Outcome, readQueries, writeCorpus } from '@sekisho/search/eval'
import type { Result, Row } from '../report.ts'
import { engines, enginesFromNpm } from '../search/engines/index.ts'
import { installPeers } from '../search/engines/peer-modules.ts'
import { askWith, buildWith } from '../search/run-engine.ts'
import { CACHE_DIR } from '../subjects/subject.ts'
import { type Benchmark, type Options, OURS } from './benchmark.ts'

const BUILD = fileURLToPath(new URL('../../site/build', import.meta.url))
const PORTAL_QUERIES = fileURLToPath(
  new URL('../../packages/search/eval/portal-queries.json', import.meta.url),
)
const MEGABYTE = 1024 * 1024

/** The same pages and labelled queries for every engine: what it finds, how fast, what it costs to have, and what of each class. */
export const search: Benchmark = {
  name: 'search',
  async run(options: Options) {
    const corpus = options.corpus ?? (await writePortalCorpus())
    const sets = (options.queries ?? [PORTAL_QUERIES]).map((file) => ({ file, queries: readQueries(file) }))
    const queries = sets.flatMap((set) => set.queries)
    const problems: string[] = []
    const rows: Row[] = []
    const outcomes = new Map<string, readonly Outcome[]>()
    const asked = engines.filter((one) => isAsked(one.name, options))
    if (asked.some((one) => enginesFromNpm.has(one))) installPeers()
    for (const { name } of asked) {
      try {
        const { found, values } = await measureEngine(name, corpus, queries)
        outcomes.set(name, found)
        rows.push({ subject: name, values })
      } catch (error) {
        if (name === OURS) throw error
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    const about = `${queries.length} labelled queries on ${options.corpus ?? 'the pages of this portal'}. S@1, S@5: a right page first, among the first five. Each engine in processes of its own; milliseconds of processor time.`
    const ofClasses: Result = {
      name: 'search, class by class',
      about: 'S@1 and S@5 in per cent, of the same run; in brackets how many queries.',
      ours: '',
      rows: sets.flatMap((set) => classRows(set, outcomes)),
      problems: [],
    }
    return [{ name: 'search', about, ours: OURS, rows, problems }, ofClasses]
  },
}

interface QuerySet {
  readonly file: string
  readonly queries: readonly LabelledQuery[]
}

/** A row for each class of a set, and one for all of them, with two columns for each engine. */
function classRows({ file, queries }: QuerySet, outcomes: ReadonlyMap<string, readonly Outcome[]>): Row[] {
  const classes = [...Map.groupBy(queries, ({ c }) => c), ['all', queries] as const]
  return classes.map(([name, members]) => {
    const isMember = new Set(members)
    const columns = [...outcomes].flatMap(([engine, found]) => {
      const { s1, s5 } = measure(found.filter(({ query }) => isMember.has(query)))
      return [[`${engine} S@1`, s1 * 100] as const, [`${engine} S@5`, s5 * 100] as const]
    })
    return {
      subject: `${basename(file, '.json')} ${name} (${members.length})`,
      values: Object.fromEntries(columns),
    }
  })
}

async function measureEngine(engine: string, corpus: string, queries: readonly LabelledQuery[]) {
  const folder = join(CACHE_DIR, 'search', engine.replace(/\W+/g, '-'))
  const { buildMs } = await buildWith({ engine, corpus, folder })
  const served = await askWith({ engine, corpus, folder, queries: queries.map(({ q }) => q) })
  const found = queries.map((query, at): Outcome => ({ query, ids: served.found[at] ?? [] }))
  const measures = measure(found)
  const sorted = served.cpuTimes.toSorted((a, b) => a - b)
  const percentile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const values = {
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
  return { found, values }
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
  await readSite({ outDir: BUILD, pages }, async (read) => writeCorpus(file, [...read]))
  return file
}
