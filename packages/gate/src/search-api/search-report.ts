import { firstDayOf } from './query-log.ts'
import type { SearchLogStore, SearchRecord } from './search-log-store.ts'

/** One query as readers typed it, variants of width and case counted together. */
export interface QueryCount {
  readonly q: string
  readonly searches: number
  /** Searches that found no page. */
  readonly withoutHit: number
  /** Results that were followed, by whatever rank, and how many of them were the first. */
  readonly opened: number
  readonly openedFirst: number
}

/** What the log says about a stretch of days. */
export interface SearchReport {
  readonly days: number
  readonly searches: number
  readonly opened: number
  /** Most frequent first. */
  readonly queries: readonly QueryCount[]
}

type Counts = { -readonly [K in keyof QueryCount]: QueryCount[K] }

/** Reads the log of the last so many days. */
export async function readSearchReport(
  store: SearchLogStore,
  days: number,
  nowMs: number,
): Promise<SearchReport> {
  const byQuery = new Map<string, Counts>()
  for await (const record of store.read(firstDayOf(days, nowMs))) count(byQuery, record)
  const queries = [...byQuery.values()].sort((a, b) => b.searches - a.searches || (a.q < b.q ? -1 : 1))
  return {
    days,
    searches: queries.reduce((sum, query) => sum + query.searches, 0),
    opened: queries.reduce((sum, query) => sum + query.opened, 0),
    queries,
  }
}

function count(byQuery: Map<string, Counts>, record: SearchRecord): void {
  const key = record.q.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  const counts = byQuery.get(key) ?? { q: record.q, searches: 0, withoutHit: 0, opened: 0, openedFirst: 0 }
  byQuery.set(key, counts)
  if ('hits' in record) {
    counts.searches += 1
    counts.withoutHit += Number(record.hits === 0)
  } else {
    counts.opened += 1
    counts.openedFirst += Number(record.rank === 1)
  }
}
