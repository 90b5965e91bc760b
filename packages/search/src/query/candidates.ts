import type { DatabaseSync } from 'node:sqlite'

/** A page that the store offers; `relevance` is its bm25, larger is better. */
export interface Candidate {
  readonly page: number
  readonly relevance: number
}

/** Asks the store for pages. */
export interface Store {
  readonly pages: number
  exists(match: string): boolean
  /** Pages with the query in title and headings; where those are fewer than `enough`, pages with it anywhere too. */
  candidates(match: string, kind: string | null, enough: number): Candidate[]
}

/** Weights of `TEXT_COLUMNS`, in their order. */
const WEIGHTS = [10, 5, 4, 2, 6, 1, 0.5]
const MAX_CANDIDATES = 60

/** Prepares the questions on an open index. */
export function createStore(database: DatabaseSync): Store {
  const asking = (table: 'page_text' | 'page_heads') => {
    const select = `SELECT rowid AS page, bm25(${table}, ${WEIGHTS.join(', ')}) AS relevance FROM ${table} WHERE ${table} MATCH ?`
    const order = `ORDER BY relevance LIMIT ${MAX_CANDIDATES}`
    const everywhere = database.prepare(`${select} ${order}`)
    const ofKind = database.prepare(
      `${select} AND (SELECT kind FROM page WHERE id = ${table}.rowid) = ? ${order}`,
    )
    return (match: string, kind: string | null): Candidate[] => {
      const rows = kind === null ? everywhere.all(match) : ofKind.all(match, kind)
      return rows.map((row) => ({ page: Number(row.page), relevance: -Number(row.relevance) }))
    }
  }
  const askTexts = asking('page_text')
  const askHeads = asking('page_heads')
  const any = database.prepare('SELECT 1 FROM page_text WHERE page_text MATCH ? LIMIT 1')
  return {
    pages: Number(database.prepare("SELECT value FROM meta WHERE key = 'pages'").get()?.value ?? 0),
    exists: (match) => any.get(match) !== undefined,
    candidates(match, kind, enough) {
      const inHeads = askHeads(match, kind)
      if (inHeads.length >= Math.min(enough, MAX_CANDIDATES)) return inHeads
      const found = new Map(inHeads.map((one) => [one.page, one]))
      for (const one of askTexts(match, kind)) found.set(one.page, one)
      return [...found.values()]
    },
  }
}
