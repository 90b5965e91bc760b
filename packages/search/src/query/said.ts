import { isHiragana, isKatakana } from '../text/characters.ts'
import type { Group } from './alternative.ts'

/** How much of what a part of a query says is said on the site or in a text, from 0 to 1. */
export type Said = (text: string) => number

/** Asking words and characters that lean on others say nothing of what is asked for. */
const MIN_TELLING = 0.2
/** A word on fewer pages stands there by the way, and counts where it is in the text. */
const USUAL_PAGES = 3
/** What the site does not have in katakana as short as this is a piece of another word wherever it stands. */
const PIECE_LENGTH = 2
/** An English word that the site does not have may be there in Japanese, in words that no dictionary pairs with it. */
const LATIN = /^[\x20-\x7e]+$/
/** What the site does not have and that ends in kana is a verb, of which pages may have another form. */
const UNKNOWN_VERB_WEIGHT = 0.4

/**
 * Prepares measuring for a part of a query, on a site with so many pages. A rare word says more, and one that the site does not
 * have as much as the rarest, unless it is English: in ranking it says less, since it does not tell pages apart.
 */
export function createSaid({ label, alternatives, parts, pages: withWord }: Group, pages: number): Said {
  if (parts.length === 0 && withWord >= USUAL_PAGES) return () => 1
  const isPiece = withWord === 0 && isKatakana(label) && label.length <= PIECE_LENGTH
  const sources = alternatives.map(({ pattern }) => pattern).filter((pattern) => pattern !== '')
  const own = isPiece || sources.length === 0 ? null : new RegExp(sources.join('|'), 'i')
  const words = parts.map((part) => ({ weight: weightOf(part, pages), said: createSaid(part, pages) }))
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  return (text) =>
    own?.test(text) ? 1 : words.reduce((sum, { weight, said }) => sum + weight * said(text), 0) / total
}

/** A whole says what its words say. */
function weightOf({ label, pages: withWord, parts, weight = 1 }: Group, pages: number): number {
  if (withWord === 0 && parts.length > 0) return parts.reduce((sum, part) => sum + weightOf(part, pages), 0)
  if (weight < MIN_TELLING || (withWord === 0 && LATIN.test(label))) return 0
  const isUnknownVerb = withWord === 0 && isHiragana(label.slice(-1))
  return (isUnknownVerb ? UNKNOWN_VERB_WEIGHT : weight) * Math.log(1 + pages / Math.max(1, withWord))
}
