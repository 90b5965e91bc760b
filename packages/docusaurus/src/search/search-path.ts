import searchPage from '@generated/sekisho-docusaurus/default/search-page.json'
import { MAX_QUERY_CHARS, readFilters, type SearchFilters } from '@sekisho/contract/search-response'

/** Route of the page that shows all results, below the path the site is served from. */
export const SEARCH_PATH = searchPage.path

/** Address of the results page for a query, within a version unless it is the default one. */
export function searchPath(q: string, filters: SearchFilters, version?: string): string {
  const parameters = new URLSearchParams({
    q: q.slice(0, MAX_QUERY_CHARS).toWellFormed(),
    ...filters,
    ...(version !== undefined && { in: version }),
  })
  return `${SEARCH_PATH}?${parameters}`
}

/** Reads the query of a results page. */
export function readSearchPath(search: string): { readonly q: string; readonly filters: SearchFilters } {
  const parameters = new URLSearchParams(search)
  return { q: parameters.get('q') ?? '', filters: readFilters(parameters) ?? {} }
}
