import { basename, join } from 'node:path'
import { buildIndex, type IndexPage, type IndexReport } from '../src/indexer/index.ts'
import { corpusPages, isAnswered, readCorpus, readQueries, readRewrites } from './corpus.ts'
import { firstRank, type Gain, type Measures, measure, measureGain, type Outcome } from './measures.ts'
import { type Serving, type ShownMarks, timeInFreshProcess } from './serving.ts'

/** Everything that one evaluation found out. */
export interface Report {
  readonly overall: Measures
  /** By class; of several sets, by the set's name and class. */
  readonly classes: Readonly<Record<string, Measures>>
  /** By class, of queries that have rewrites; empty without any. */
  readonly gains: Readonly<Record<string, Gain>>
  readonly build: IndexReport
  /** Most memory that the building process had, if there was something to build. */
  readonly peakMb: number
  /** Bringing the index up to date after one page was edited: everything from the pages to the new file. */
  readonly editMs: number
  readonly editCpuMs: number
  readonly serving: Serving
  readonly shown: ShownMarks
  readonly failures: readonly Failure[]
}

/** A query whose first result is not relevant. */
export interface Failure {
  readonly class: string
  readonly q: string
  readonly rank: number | null
  readonly found: readonly string[]
  readonly wanted: readonly string[]
}

/** Builds the index of a corpus, asks the queries that it has an answer to, and measures. */
export async function evaluate(files: {
  corpus: string
  queries: readonly string[]
  /** JSON: question to short queries. */
  rewrites?: string | undefined
  folder: string
}): Promise<Report> {
  const index = join(files.folder, 'search.db')
  const update = (now: Parameters<typeof buildIndex>[0]['pages']): Promise<IndexReport> =>
    buildIndex({ pages: now, outFile: index, cacheDir: join(files.folder, 'cache') })
  const build = await update(corpusPages(files.corpus))
  const peakMb = process.resourceUsage().maxRSS / 1024
  const pages = await readCorpus(files.corpus)
  const ids = new Set(pages.map(({ id }) => id))
  const sets = files.queries.map((file) => ({
    name: basename(file, '.json'),
    queries: readQueries(file).filter((query) => isAnswered(query, ids)),
  }))
  const queries = sets.flatMap((set) => set.queries)
  const edited = withOneEdited(pages)
  const used = process.cpuUsage()
  const edit = await update(edited)
  const { user, system } = process.cpuUsage(used)
  await update(pages)
  const rewrites: ReadonlyMap<string, readonly string[]> =
    files.rewrites === undefined ? new Map() : readRewrites(files.rewrites)
  const others = [...new Set(queries.flatMap(({ q }) => rewrites.get(q) ?? []))]
  const { found, shown, ...serving } = await timeInFreshProcess(index, [
    ...queries.map((query) => query.q),
    ...others,
  ])
  const outcomes = queries.map((query, at): Outcome => ({ query, ids: found[at] ?? [] }))
  const setOf = new Map(sets.flatMap(({ name, queries }) => queries.map((query) => [query, name])))
  const classOf = ({ query }: Outcome) => (sets.length > 1 ? `${setOf.get(query)} ${query.c}` : query.c)
  const classes = Map.groupBy(outcomes, classOf)
  const foundBy = new Map(others.map((q, at) => [q, found[queries.length + at] ?? []]))
  const rewritten = outcomes
    .filter(({ query }) => rewrites.has(query.q))
    .map((outcome) => ({
      ...outcome,
      others: (rewrites.get(outcome.query.q) ?? []).map((q) => foundBy.get(q) ?? []),
    }))
  return {
    overall: measure(outcomes),
    classes: mapGroups(classes, measure),
    gains: mapGroups(Map.groupBy(rewritten, classOf), measureGain),
    build,
    peakMb,
    editMs: edit.tookMs,
    editCpuMs: (user + system) / 1_000,
    serving,
    shown,
    failures: outcomes.filter((outcome) => firstRank(outcome) > 1).map(readFailure),
  }
}

const mapGroups = <One, Result>(
  groups: ReadonlyMap<string, readonly One[]>,
  of: (group: readonly One[]) => Result,
) => Object.fromEntries([...groups].map(([name, group]) => [name, of(group)]))

function withOneEdited(pages: readonly IndexPage[]): readonly IndexPage[] {
  const at = Math.floor(pages.length / 2)
  return pages.map((page, index) => (index === at ? { ...page, title: `${page.title}（改訂）` } : page))
}

function readFailure(outcome: Outcome): Failure {
  const rank = firstRank(outcome)
  return {
    class: outcome.query.c,
    q: outcome.query.q,
    rank: Number.isFinite(rank) ? rank : null,
    found: outcome.ids.slice(0, 3),
    wanted: outcome.query.rel
      .toSorted((a, b) => b.g - a.g)
      .slice(0, 2)
      .map(({ id }) => id),
  }
}
