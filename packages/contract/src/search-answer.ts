/** Longest query, in UTF-16 units; the search field takes no more. */
export const MAX_QUERY_CHARS = 500

/** Parts of a portal that a search can be limited to, besides everything. */
export type Area = 'docs' | 'knowledge' | 'blog'

/** Start and end of a match in UTF-16 units of the text it belongs to. */
export type MarkedRange = readonly [start: number, end: number]

/** A section of a found page; `url` leads to its heading. */
export interface FoundSection {
  readonly heading: string
  readonly headingMarks: readonly MarkedRange[]
  readonly anchor: string
  readonly url: string
  readonly snippet: {
    readonly text: string
    readonly marks: readonly MarkedRange[]
    readonly cutStart: boolean
    readonly cutEnd: boolean
  }
}

/** A found page with the sections that answer best. */
export interface FoundPage {
  readonly id: string
  readonly url: string
  /** Where to go: the section whose heading is the query, else the page itself. */
  readonly target?: string
  readonly title: string
  readonly titleMarks: readonly MarkedRange[]
  readonly kind: string
  readonly breadcrumbs: readonly string[]
  readonly sections: readonly FoundSection[]
}

/** `GET /__gate/search?q=…&limit=…&section=…`. */
export interface SearchAnswer {
  readonly results: readonly FoundPage[]
  readonly didYouMean: string | null
  /** No page has all of the query: these have a part of it, or match its closest reading. */
  readonly relaxed: boolean
}

/** Reads the gate's JSON; null for anything that is no search answer (a proxy's page, an older gate). */
export function readSearchAnswer(value: unknown): SearchAnswer | null {
  const isAnswer =
    typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results)
  return isAnswer ? (value as unknown as SearchAnswer) : null
}

/** `POST /__gate/search/opened`: a reader followed a result. */
export interface OpenedResult {
  readonly q: string
  /** 1 for the first result. */
  readonly rank: number
  /** Route of the page that was opened. */
  readonly page: string
}
