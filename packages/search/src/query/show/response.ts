import type * as contract from '@sekisho/contract/search-response'
import type { Filters } from '../retrieve/filters.ts'

/** Query: at most 500 characters, which may hold `"exact phrases"` and `-words`. `limit` is clamped to 1–50. */
export interface SearchQuery extends Filters {
  readonly q: string
  readonly limit?: number
}

/** A section of a found page; `url` leads to its heading. */
export interface FoundSection extends contract.FoundSection {
  readonly level: number
}

/** A found page with the sections that answer best. */
export interface FoundPage extends contract.FoundPage {
  readonly target: string
  readonly tags: readonly string[]
  /** Empty for a page of no version. */
  readonly version: string
  /** Day of the last change, YYYY-MM-DD; empty where it is not known. */
  readonly date: string
  readonly score: number
  readonly sections: readonly FoundSection[]
}

/** The response to a query, which the gate sends as it is. */
export interface SearchResponse extends contract.SearchResponse {
  readonly results: readonly FoundPage[]
}
