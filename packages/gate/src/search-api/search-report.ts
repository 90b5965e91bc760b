import { readFileSync } from 'node:fs'
import { listDailyFiles } from '../observability/daily-log.ts'

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

/** A query that found nothing, and what its readers then searched for and opened: the two may mean the same. */
export interface SynonymCandidate {
  readonly q: string
  readonly then: string
  readonly page: string
  readonly times: number
}

/** What the log says about a stretch of days. */
export interface SearchReport {
  readonly days: number
  readonly searches: number
  readonly opened: number
  /** Most frequent first. */
  readonly queries: readonly QueryCount[]
  /** Most frequent first. */
  readonly candidates: readonly SynonymCandidate[]
}

type Counts = { -readonly [K in keyof QueryCount]: QueryCount[K] }

/** Reads the log of the last so many days. Lines that are no record (cut short by a crash) are passed over. */
export function readSearchReport(folder: string, days: number, nowMs: number): SearchReport {
  const byQuery = new Map<string, Counts>()
  const candidates = new Map<string, SynonymCandidate>()
  for (const file of listDailyFiles(folder, days, nowMs)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) count(byQuery, candidates, line)
  }
  const queries = [...byQuery.values()].sort((a, b) => b.searches - a.searches || (a.q < b.q ? -1 : 1))
  return {
    days,
    searches: queries.reduce((sum, query) => sum + query.searches, 0),
    opened: queries.reduce((sum, query) => sum + query.opened, 0),
    queries,
    candidates: [...candidates.values()].sort((a, b) => b.times - a.times || (a.q < b.q ? -1 : 1)),
  }
}

function count(byQuery: Map<string, Counts>, candidates: Map<string, SynonymCandidate>, line: string): void {
  const record = readRecord(line)
  if (record === null) return
  const key = keyOf(record.q)
  const counts = byQuery.get(key) ?? { q: record.q, searches: 0, withoutHit: 0, opened: 0, openedFirst: 0 }
  byQuery.set(key, counts)
  if (record.kind === 'searched') {
    counts.searches += 1
    counts.withoutHit += Number(record.hits === 0)
  } else {
    counts.opened += 1
    counts.openedFirst += Number(record.rank === 1)
    const { q: then, page, after } = record
    if (after === undefined || keyOf(after) === key) return
    const pair = `${keyOf(after)}\n${key}`
    const { times } = candidates.get(pair) ?? { times: 0 }
    candidates.set(pair, { q: after, then, page, times: times + 1 })
  }
}

const keyOf = (q: string): string => q.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

type Record =
  | { readonly kind: 'searched'; readonly q: string; readonly hits: number }
  | {
      readonly kind: 'opened'
      readonly q: string
      readonly rank: number
      readonly page: string
      readonly after?: string
    }

function readRecord(line: string): Record | null {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('q' in value) || typeof value.q !== 'string')
      return null
    if ('hits' in value && typeof value.hits === 'number')
      return { kind: 'searched', q: value.q, hits: value.hits }
    if ('rank' in value && typeof value.rank === 'number')
      return {
        kind: 'opened',
        q: value.q,
        rank: value.rank,
        page: 'page' in value ? String(value.page) : '',
        ...('after' in value && typeof value.after === 'string' ? { after: value.after } : {}),
      }
    return null
  } catch {
    return null
  }
}
