import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { STORE } from '../../query-constants.ts'
import type { Condition } from './filters.ts'

/** A page that the store offers; `relevance` is its bm25, larger is better. */
export interface Candidate {
  readonly page: number
  readonly relevance: number
}

/** Asks the store for pages. */
export interface Store {
  readonly pages: number
  exists(match: string): boolean
  /** Number of matching pages; beyond `STORE.maxCounted` it makes no difference. */
  count(match: string): number
  /** Tells if one page matches an expression. */
  has(page: number, match: string): boolean
  /** Tells if one page meets a condition. */
  meets(page: number, condition: Condition): boolean
  /** Pages with the query in title and headings; where those are fewer than `enough`, pages with it anywhere too. */
  candidates(match: string, condition: Condition | null, enough: number): Candidate[]
}

/** Weights of `TEXT_COLUMNS`, in their order. */
const WEIGHTS = [10, 5, 4, 2, 6, 1, 0.5]

/** Prepares the questions on an open index. */
export function createStore(database: DatabaseSync): Store {
  const prepared = new Map<string, StatementSync>()
  /** Conditions come in a few shapes, each of which is prepared once. */
  const prepare = (sql: string): StatementSync => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const ask = (
    table: 'page_text' | 'page_heads',
    match: string,
    condition: Condition | null,
  ): Candidate[] => {
    const where =
      condition === null
        ? ''
        : `AND EXISTS (SELECT 1 FROM page WHERE id = ${table}.rowid AND ${condition.sql})`
    const rows = prepare(
      `SELECT rowid AS page, bm25(${table}, ${WEIGHTS.join(', ')}) AS relevance FROM ${table}
      WHERE ${table} MATCH ? ${where} ORDER BY relevance LIMIT ${STORE.maxCandidates}`,
    ).all(match, ...(condition?.values ?? []))
    return rows.map((row) => ({ page: Number(row.page), relevance: -Number(row.relevance) }))
  }
  const any = database.prepare('SELECT 1 FROM page_text WHERE page_text MATCH ? LIMIT 1')
  const counted = database.prepare(
    `SELECT count(*) AS pages FROM (SELECT 1 FROM page_text WHERE page_text MATCH ? LIMIT ${STORE.maxCounted})`,
  )
  // Without the cast the full-text table does not see the number that is bound, and says yes for any page.
  const one = database.prepare(
    'SELECT 1 FROM page_text WHERE page_text MATCH ? AND rowid = CAST(? AS INTEGER)',
  )
  return {
    pages: Number(database.prepare("SELECT value FROM meta WHERE key = 'pages'").get()?.value ?? 0),
    exists: (match) => any.get(match) !== undefined,
    count: (match) => Number(counted.get(match)?.pages ?? 0),
    has: (page, match) => one.get(match, page) !== undefined,
    meets: (page, { sql, values }) =>
      prepare(`SELECT 1 FROM page WHERE id = ? AND ${sql}`).get(page, ...values) !== undefined,
    candidates(match, condition, enough) {
      const inHeads = ask('page_heads', match, condition)
      if (inHeads.length >= Math.min(enough, STORE.maxCandidates)) return inHeads
      const found = new Map(inHeads.map((head) => [head.page, head]))
      for (const text of ask('page_text', match, condition)) found.set(text.page, text)
      return [...found.values()]
    },
  }
}
