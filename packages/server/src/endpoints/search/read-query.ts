import {
  FILTER_NAMES,
  MAX_QUERY_CHARS,
  type OpenedResult,
  readFilters,
} from '@sekisho/contract/search-response'
import type { SearchQuery } from '@sekisho/search/query'

const DEFAULT_LIMIT = '10'
const MAX_LIMIT = 50
const RELEASE = /^[\w-]{1,100}$/
const PARAMETERS: ReadonlySet<string> = new Set(['q', 'limit', 'base', 'release', 'rewrite', ...FILTER_NAMES])

/** A query, and what the page that asks shows. */
export interface AskedQuery extends SearchQuery {
  readonly limit: number
  readonly base: string
  /** Null where the page does not say. */
  readonly release: string | null
  /** Searches with the model's short queries for it, instead. */
  readonly rewrite: boolean
}

/**
 * Reads `q` (at most 500 characters), `limit` (1–50), `base` (path of the asking page's locale), `release` (of the asking tab), `rewrite` (1) and filters.
 * Null for unknown, doubled and invalid parameters.
 */
export function readQuery(parameters: URLSearchParams): AskedQuery | null {
  const names = [...parameters.keys()]
  if (new Set(names).size !== names.length || !names.every((name) => PARAMETERS.has(name))) return null
  const q = parameters.get('q')
  const limit = parameters.get('limit') ?? DEFAULT_LIMIT
  const base = parameters.get('base') ?? '/'
  const release = parameters.get('release')
  const rewrite = parameters.get('rewrite')
  const filters = readFilters(parameters)
  if (q === null || q.length > MAX_QUERY_CHARS) return null
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) return null
  if (rewrite !== null && rewrite !== '1') return null
  if (filters === null || (release !== null && !RELEASE.test(release))) return null
  const { section, ...others } = filters
  return {
    q,
    base,
    release,
    rewrite: rewrite !== null,
    limit: Number(limit),
    ...others,
    ...(section === undefined ? {} : { kind: section }),
  }
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
