import {
  FILTER_NAMES,
  MAX_QUERY_CHARS,
  type OpenedResult,
  readFilters,
} from '@sekisho/contract/search-response'
import type { SearchQuery } from '@sekisho/search/query'

const DEFAULT_LIMIT = '10'
const MAX_LIMIT = 50
const PARAMETERS: ReadonlySet<string> = new Set(['q', 'limit', 'base', ...FILTER_NAMES])

/** Reads `q` (at most 500 characters), `limit` (1–50), `base` (the path of a locale, as the page that asks has it) and filters; null for an unknown or doubled parameter or a value that is none. */
export function readQuery(
  parameters: URLSearchParams,
): (Required<Pick<SearchQuery, 'q' | 'limit'>> & SearchQuery & { readonly base: string }) | null {
  const names = [...parameters.keys()]
  if (new Set(names).size !== names.length || !names.every((name) => PARAMETERS.has(name))) return null
  const q = parameters.get('q')
  const limit = parameters.get('limit') ?? DEFAULT_LIMIT
  const base = parameters.get('base') ?? '/'
  const filters = readFilters(parameters)
  if (q === null || q.length > MAX_QUERY_CHARS) return null
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) return null
  if (filters === null) return null
  const { section, ...others } = filters
  return { q, base, limit: Number(limit), ...others, ...(section === undefined ? {} : { kind: section }) }
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
