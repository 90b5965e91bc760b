import type { MarkedRange, Snippet } from './snippet.ts'

/** What to search for. `limit` is clamped to 1–50; `kind` restricts to docs, knowledge, blog or page. */
export interface SearchQuery {
  readonly q: string
  readonly limit?: number
  readonly kind?: string
}

/** A section of a found page; `url` leads to its heading. */
export interface FoundSection {
  readonly heading: string
  readonly headingMarks: readonly MarkedRange[]
  readonly level: number
  readonly anchor: string
  readonly url: string
  readonly snippet: Snippet
}

/** A found page with the sections that answer best. */
export interface FoundPage {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly titleMarks: readonly MarkedRange[]
  readonly kind: string
  readonly breadcrumbs: readonly string[]
  readonly score: number
  readonly sections: readonly FoundSection[]
}

/** The answer to a query. */
export interface SearchAnswer {
  readonly results: readonly FoundPage[]
  /** The query as it was read when a word had to be corrected, else null. */
  readonly didYouMean: string | null
  /** Whether no page has all of the query: these have a part of it, or what it may spell at best. */
  readonly relaxed: boolean
}
