import { COVERAGE } from '../../query-constants.ts'
import { isHiragana, isKatakana } from '../../text/characters.ts'
import type { Group } from '../read/terms/alternative.ts'

/** Share of a query part that the site or a text covers, from 0 to 1. */
type Coverage = (text: string) => number

/** An English word that the site does not have may be there in Japanese, in words that no dictionary pairs with it. */
const LATIN = /^[\x20-\x7e]+$/

/**
 * Prepares measuring for a query part, on a site with so many pages. Rare words say more, unknown ones as much as the rarest; but English
 * ones less, as in ranking, since they do not tell pages apart.
 */
export function createCoverage(
  { label, alternatives, parts, pages: withWord }: Group,
  pages: number,
): Coverage {
  if (parts.length === 0 && withWord >= COVERAGE.usualPages) return () => 1
  const isPiece = withWord === 0 && isKatakana(label) && label.length <= COVERAGE.pieceLength
  const sources = alternatives.map(({ pattern }) => pattern).filter((pattern) => pattern !== '')
  const own = isPiece || sources.length === 0 ? null : new RegExp(sources.join('|'), 'i')
  const words = parts.map((part) => ({
    weight: weightOf(part, pages),
    coverage: createCoverage(part, pages),
  }))
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  return (text) =>
    own?.test(text)
      ? 1
      : words.reduce((sum, { weight, coverage }) => sum + weight * coverage(text), 0) / total
}

/** A whole says what its words say. */
function weightOf({ label, pages: withWord, parts, weight = 1 }: Group, pages: number): number {
  if (withWord === 0 && parts.length > 0) return parts.reduce((sum, part) => sum + weightOf(part, pages), 0)
  if (weight < COVERAGE.minInformative || (withWord === 0 && LATIN.test(label))) return 0
  const isUnknownVerb = withWord === 0 && isHiragana(label.slice(-1))
  return (isUnknownVerb ? COVERAGE.unknownVerbWeight : weight) * Math.log(1 + pages / Math.max(1, withWord))
}
