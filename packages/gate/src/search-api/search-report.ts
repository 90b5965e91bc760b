import { readFileSync } from 'node:fs'
import { listQueryLogs } from './query-log.ts'

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

/** Reads the log of the last so many days. Lines that are no record (cut short by a crash) are passed over. */
export function readSearchReport(folder: string, days: number, nowMs: number): SearchReport {
  const byQuery = new Map<string, Counts>()
  for (const file of listQueryLogs(folder, days, nowMs)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) count(byQuery, line)
  }
  const queries = [...byQuery.values()].sort((a, b) => b.searches - a.searches || (a.q < b.q ? -1 : 1))
  return {
    days,
    searches: queries.reduce((sum, query) => sum + query.searches, 0),
    opened: queries.reduce((sum, query) => sum + query.opened, 0),
    queries,
  }
}

function count(byQuery: Map<string, Counts>, line: string): void {
  const record = readRecord(line)
  if (record === null) return
  const key = record.q.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  const counts = byQuery.get(key) ?? { q: record.q, searches: 0, withoutHit: 0, opened: 0, openedFirst: 0 }
  byQuery.set(key, counts)
  if (record.kind === 'searched') {
    counts.searches += 1
    counts.withoutHit += Number(record.hits === 0)
  } else {
    counts.opened += 1
    counts.openedFirst += Number(record.rank === 1)
  }
}

type Record =
  | { readonly kind: 'searched'; readonly q: string; readonly hits: number }
  | { readonly kind: 'opened'; readonly q: string; readonly rank: number }

function readRecord(line: string): Record | null {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('q' in value) || typeof value.q !== 'string')
      return null
    if ('hits' in value && typeof value.hits === 'number')
      return { kind: 'searched', q: value.q, hits: value.hits }
    if ('rank' in value && typeof value.rank === 'number')
      return { kind: 'opened', q: value.q, rank: value.rank }
    return null
  } catch {
    return null
  }
}
