import type { Lexicon } from '../words/lexicon.ts'
import type { FindSimilar } from '../words/spelling.ts'

/** A word of the query that was read as another one. */
export interface Correction {
  readonly from: string
  readonly to: string
}

/** What the readers of a query share: the site's words, and what they found out on the way. */
export interface Reader {
  readonly lexicon: Lexicon
  readonly findSimilar: FindSimilar
  /** Whether the query has a phrase in quotes: then nothing else is meant. */
  readonly isExact: boolean
  /** Whether it is a message that was copied from a log or a terminal. */
  readonly isPasted: boolean
  /** How many pages match an expression, counted up to a thousand. */
  readonly count: (match: string) => number
  /** Whether any page matches an expression. */
  readonly exists: (match: string) => boolean
  readonly corrections: Correction[]
  /** Parts of the query that were read in a way that would find something for anything. */
  readonly guesses: string[]
}
