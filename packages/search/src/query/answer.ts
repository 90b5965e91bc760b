import type { FilterChoices, Filters } from './filters.ts'
import type { MarkedRange } from './matcher.ts'
import type { Snippet } from './snippet.ts'

/** What to search for: at most 500 characters, which may hold `"exact phrases"` and `-words`. `limit` is clamped to 1–50. */
export interface SearchQuery extends Filters {
  readonly q: string
  readonly limit?: number
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
  /** Where to go: the section whose heading is the query, else the top of the page. */
  readonly target: string
  readonly title: string
  readonly titleMarks: readonly MarkedRange[]
  readonly kind: string
  readonly breadcrumbs: readonly string[]
  readonly tags: readonly string[]
  /** Empty for a page of no version. */
  readonly version: string
  /** Day of the last change, YYYY-MM-DD; empty where it is not known. */
  readonly date: string
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
  /** By what the found pages differ, for filtering them. */
  readonly choices: FilterChoices
}
