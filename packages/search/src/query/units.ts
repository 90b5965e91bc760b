import { hasHan } from '../text/characters.ts'
import { nameTerm, termOf } from '../text/terms.ts'
import type { Unit } from './alternative.ts'
import { isDispensable } from './asking-words.ts'
import type { LexiconWord } from './lexicon.ts'

/** How much a word tells by what it is. */
const PART_WEIGHTS = { thing: 1, action: 0.9, quality: 0.6, verb: 0.7, passing: 0.35, name: 1 }
/** A word that pages mention and none is about (面倒, 聞かれる) tells less than its rarity says. */
const INCIDENTAL = 0.6
const TOPICAL_SHARE = 0.1

/** How much a word tells, from its part of speech and from how much of what is said with it is in titles and headings. */
export function tellingWeight(word: LexiconWord): number {
  const share = (word.titles * 2 + word.headings) / Math.max(1, word.pages)
  const spread = INCIDENTAL + (1 - INCIDENTAL) * Math.min(1, share / TOPICAL_SHARE)
  return PART_WEIGHTS[word.part] * spread
}

/** What to ask the index for a word: its term, or the terms of its parts where the pages write it in pieces too. */
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
