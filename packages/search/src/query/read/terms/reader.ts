import type { Lexicon } from '../words/lexicon.ts'
import type { FindSimilar } from '../words/spelling.ts'

/** A word of the query that was read as another one. */
export interface Correction {
  readonly from: string
  readonly to: string
}

/** State shared by the readers of a query: the site's words, and earlier findings. */
export interface Reader {
  readonly lexicon: Lexicon
  readonly findSimilar: FindSimilar
  /** The query has a phrase in quotes: nothing else is meant. */
  readonly isExact: boolean
  /** The query is a message copied from a log or a terminal. */
  readonly isPasted: boolean
  /** Number of pages that match an expression, counted up to a thousand. */
  readonly count: (match: string) => number
  /** Tells if any page matches an expression. */
  readonly exists: (match: string) => boolean
  readonly corrections: Correction[]
  /** Parts of the query that were read in a way that would find something for anything. */
  readonly guesses: string[]
}
