import { type Area, MAX_QUERY_CHARS } from '@sekisho/contract/search-answer'

/** Route of the page that shows all results. */
export const SEARCH_PATH = '/search'

/** Address of the results page for a query. */
export function searchPath(q: string, area: Area | null): string {
  const parameters = new URLSearchParams({ q: q.slice(0, MAX_QUERY_CHARS).toWellFormed() })
  if (area !== null) parameters.set('section', area)
  return `${SEARCH_PATH}?${parameters}`
}

/** Reads what a results page was asked for. */
export function readSearchPath(search: string): { readonly q: string; readonly area: Area | null } {
  const parameters = new URLSearchParams(search)
  const area = parameters.get('section')
  const isArea = area === 'docs' || area === 'knowledge' || area === 'blog'
  return { q: parameters.get('q') ?? '', area: isArea ? area : null }
}
