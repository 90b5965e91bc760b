import { UNITS } from '../../../query-constants.ts'
import { hasHan } from '../../../text/characters.ts'
import { nameTerm, termOf } from '../../../text/terms.ts'
import { isDispensable } from '../words/asking-words.ts'
import type { LexiconWord } from '../words/lexicon.ts'
import type { Unit } from './alternative.ts'

/** Information of a word, from its part of speech and its share in titles and headings. */
export function informativeness(word: LexiconWord): number {
  const share = (word.titles * 2 + word.headings) / Math.max(1, word.pages)
  const spread = UNITS.incidental + (1 - UNITS.incidental) * Math.min(1, share / UNITS.topicalShare)
  return UNITS.partWeights[word.part] * spread
}

/** Index terms of a word: its own, or those of its parts where pages split it too. */
export function wordUnits(text: string, word: LexiconWord | null): Unit[] {
  const parts = word === null || word.parts.length === 0 ? [text] : word.parts
  return parts.filter((part) => !isDispensable(part)).map((part) => termsOf(part, 1))
}

/** One unit in which the best of several words counts. */
export function oneOf(words: readonly { readonly key: string; readonly weight: number }[]): Unit {
  return words.flatMap(({ key, weight }) => termsOf(key, weight))
}

/** The unit of a Latin name. */
export function nameUnit(joined: string, weight = 1): Unit {
  return [{ term: nameTerm(joined), weight }]
}

/** A character alone may be a word or what is left of a verb whose inflection the lexicon does not have. */
function termsOf(key: string, weight: number): Unit {
  const own = { term: termOf(key), weight }
  return hasHan(key) && Array.from(key).length === 1 ? [own, { term: `${key}~`, weight }] : [own]
}
