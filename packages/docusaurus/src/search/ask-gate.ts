import { PATHS } from '@sekisho/contract/paths'
import { readReleaseTiming } from '@sekisho/contract/response-headers'
import {
  MAX_QUERY_CHARS,
  type OpenedResult,
  readSearchResponse,
  type SearchFilters,
  type SearchResponse,
} from '@sekisho/contract/search-response'

/** A search request. */
export type Question = {
  readonly q: string
  readonly filters: SearchFilters
  readonly limit: number
  /** Searches with the model's short queries for a sentence, instead. */
  readonly rewrite?: boolean
}

/** The outcome of a query. `busy`: rate-limited; the gate says when to retry. */
export type Outcome =
  | { readonly kind: 'found'; readonly answer: SearchResponse; readonly release: string | null }
  | { readonly kind: 'signed-out' | 'offline' | 'unavailable' }
  | { readonly kind: 'busy'; readonly retryMs: number }

/** Context of a query: the path of its locale, and the release of its tab, if known. */
type AskingPage = { readonly baseUrl: string; readonly release: string | null }

/** Asks the gate for pages. Throws only the signal's AbortError. */
export async function askGate(
  fetcher: typeof fetch,
  question: Question,
  signal: AbortSignal,
  { baseUrl, release }: AskingPage = { baseUrl: '/', release: null },
): Promise<Outcome> {
  const parameters = new URLSearchParams({
    q: question.q.slice(0, MAX_QUERY_CHARS),
    limit: String(question.limit),
    ...(baseUrl === '/' ? {} : { base: baseUrl }),
    ...(release === null ? {} : { release }),
    ...question.filters,
    ...(question.rewrite === true ? { rewrite: '1' } : {}),
  })
  let response: Response
  try {
    response = await fetcher(`${PATHS.search}?${parameters}`, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'offline' }
  }
  if (response.status === 401) return { kind: 'signed-out' }
  if (response.status === 429)
    return { kind: 'busy', retryMs: Number(response.headers.get('Retry-After') ?? 1) * 1_000 }
  const answer = response.ok ? readSearchResponse(await response.json().catch(() => null)) : null
  signal.throwIfAborted()
  if (answer === null) return { kind: 'unavailable' }
  return { kind: 'found', answer, release: readReleaseTiming(response.headers.get('Server-Timing')) }
}

/** Reports which result was opened, for the search report. Fire and forget. */
export function reportOpened(fetcher: typeof fetch, opened: OpenedResult): void {
  void fetcher(PATHS.searchOpened, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...opened, q: opened.q.slice(0, MAX_QUERY_CHARS) }),
    credentials: 'same-origin',
    keepalive: true,
  }).catch(() => undefined)
}
