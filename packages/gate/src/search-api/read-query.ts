import { MAX_QUERY_CHARS } from '@sekisho/contract/search-answer'
import type { SearchQuery } from '@sekisho/search/query'

const DEFAULT_LIMIT = '10'
const MAX_LIMIT = 50
const SECTIONS: ReadonlySet<string> = new Set(['docs', 'knowledge', 'blog', 'page'])
const PARAMETERS: ReadonlySet<string> = new Set(['q', 'limit', 'section'])

/** Reads `q` (at most 500 characters), `limit` (1–50) and `section`; null for an unknown or doubled parameter or a value that is none. */
export function readQuery(
  parameters: URLSearchParams,
): (Required<Pick<SearchQuery, 'q' | 'limit'>> & SearchQuery) | null {
  const names = [...parameters.keys()]
  if (new Set(names).size !== names.length || !names.every((name) => PARAMETERS.has(name))) return null
  const q = parameters.get('q')
  const limit = parameters.get('limit') ?? DEFAULT_LIMIT
  const section = parameters.get('section')
  if (q === null || q.length > MAX_QUERY_CHARS) return null
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) return null
  if (section !== null && !SECTIONS.has(section)) return null
  const query = { q, limit: Number(limit) }
  return section === null ? query : { ...query, kind: section }
}

/** What a page reports when a reader follows a result. */
export interface OpenedResult {
  readonly q: string
  /** 1 for the first result. */
  readonly rank: number
  /** Route of the page that was opened. */
  readonly page: string
}

/** Reads `{ q, rank, page }` and nothing else. */
export function readOpened(value: unknown): OpenedResult | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).sort().join() !== 'page,q,rank')
    return null
  const { q, rank, page } = value as Record<keyof OpenedResult, unknown>
  if (typeof q !== 'string' || q.trim() === '' || q.length > MAX_QUERY_CHARS) return null
  if (typeof rank !== 'number' || !Number.isInteger(rank) || rank < 1 || rank > MAX_LIMIT) return null
  return typeof page === 'string' ? { q, rank, page } : null
}
