import { firstDayOf } from '../../storage/lines/daily-log.ts'
import { queryKey, type SearchLogStore, type SearchRecord } from './search-log-store.ts'

/** One query as readers typed it, variants of width and case counted together. */
export interface QueryCount {
  readonly q: string
  readonly searches: number
  /** Searches that found no page. */
  readonly withoutHit: number
  /** Persons who made them, at least: the most of one week. */
  readonly persons: number
  /** Results that were followed, by whatever rank, and how many of them were the first. */
  readonly opened: number
  readonly openedFirst: number
}

/** A query of which nothing was opened, and what its readers then searched for and opened: the two may mean the same. */
interface SynonymCandidate {
  readonly q: string
  readonly then: string
  readonly page: string
  readonly times: number
}

/** One query of agents. */
type AgentQuery = Pick<QueryCount, 'q' | 'searches' | 'withoutHit' | 'persons'>

/** Summary of the log over several days. */
export interface SearchReport {
  readonly days: number
  readonly searches: number
  readonly opened: number
  /** Most frequent first. */
  readonly queries: readonly QueryCount[]
  /** Separate searches of agents: they open no result. Most frequent first. */
  readonly agents: readonly AgentQuery[]
  /** Most frequent first. */
  readonly candidates: readonly SynonymCandidate[]
}

/** One or two readers who change their mind say nothing; a session writes a pair once. */
const CANDIDATE_READERS = 3

type Counts = { -readonly [K in Exclude<keyof QueryCount, 'persons'>]: QueryCount[K] } & {
  /** As records have them. */
  readonly readers: Set<string>
}

/** Reads the log of the last so many days. */
export async function readSearchReport(
  store: Pick<SearchLogStore, 'read'>,
  days: number,
  nowMs: number,
  isIncluded: (record: SearchRecord) => boolean = () => true,
): Promise<SearchReport> {
  const byQuery = new Map<string, Counts>()
  const candidates = new Map<string, SynonymCandidate>()
  const byAgents = new Map<string, Counts>()
  for await (const record of store.read(firstDayOf(days, nowMs)))
    if (isIncluded(record)) count('by' in record ? byAgents : byQuery, candidates, record)
  const sorted = (counts: ReadonlyMap<string, Counts>) =>
    [...counts.values()]
      .map(({ readers, ...query }): QueryCount => ({ ...query, persons: mostOfAWeek(readers) }))
      .sort((a, b) => b.searches - a.searches || (a.q < b.q ? -1 : 1))
  const queries = sorted(byQuery)
  return {
    days,
    searches: queries.reduce((sum, query) => sum + query.searches, 0),
    opened: queries.reduce((sum, query) => sum + query.opened, 0),
    queries,
    agents: sorted(byAgents).map(({ q, searches, withoutHit, persons }) => ({
      q,
      searches,
      withoutHit,
      persons,
    })),
    candidates: [...candidates.values()]
      .filter(({ times }) => times >= CANDIDATE_READERS)
      .sort((a, b) => b.times - a.times || (a.q < b.q ? -1 : 1)),
  }
}

function count(
  byQuery: Map<string, Counts>,
  candidates: Map<string, SynonymCandidate>,
  record: SearchRecord,
): void {
  const key = queryKey(record.q)
  const none = { searches: 0, withoutHit: 0, opened: 0, openedFirst: 0 }
  const counts = byQuery.get(key) ?? { q: record.q, ...none, readers: new Set() }
  byQuery.set(key, counts)
  if ('hits' in record) {
    counts.searches += 1
    counts.withoutHit += Number(record.hits === 0)
    if (record.reader !== undefined) counts.readers.add(record.reader)
  } else {
    counts.opened += 1
    counts.openedFirst += Number(record.rank === 1)
    const { q: then, page, after } = record
    if (after === undefined || isSameSubject(queryKey(after), key)) return
    const pair = `${queryKey(after)}\n${key}`
    const { times } = candidates.get(pair) ?? { times: 0 }
    candidates.set(pair, { q: after, then, page, times: times + 1 })
  }
}

/** The same person has another digest in each week. */
const mostOfAWeek = (readers: ReadonlySet<string>): number =>
  Math.max(
    0,
    ...Map.groupBy(readers, (reader) => reader.slice(0, 10))
      .values()
      .map(({ length }) => length),
  )

/** Tells if one query only adds or removes words, and so is no other name for the subject. */
const isSameSubject = (q: string, then: string): boolean => q.includes(then) || then.includes(q)
