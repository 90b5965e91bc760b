import { KANA } from '../../../query-constants.ts'
import { hasJapanese } from '../../../text/characters.ts'
import { foldReading } from '../../../text/kana.ts'
import { okuriganaSkeleton } from '../../../text/okurigana.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  skeletonAlternative,
} from '../terms/alternative.ts'
import type { Reader } from '../terms/reader.ts'
import { informativeness, oneOf } from '../terms/units.ts'
import { type LexiconWord, prominence } from '../words/lexicon.ts'
import { isGuess, type ReadPart, readKana } from './readings.ts'

const INNER_STEM =
  /^(?:から|まで|より|[のをにがはとでもへや])?(.*?)(?:から|まで|より|では|には|とは|[のをにがはとでもへや])?$/u
const INFLECTIONS =
  /^(?:し(?![ゃゅょ])|さ|す|でき|くだ|つい|とし|なる|なら|ある|いる|ない|たい|れ|られ|ため|とき|こと|もの|よう|まで)/u

/** Reads a kana stretch of the query: as it stands, and as the words of the site that it may spell. */
export function kanaGroups(kana: string, open: boolean, reader: Reader): Group[] {
  const literal = japaneseAlternative(kana, KANA.literalWeight)
  const parts = readKana(kana, reader.lexicon, open) ?? []
  if (parts.length === 0)
    return [{ label: kana, alternatives: [literal], parts: [], optional: false, pages: 0 }]
  const alsoLiteral = reader.exists(literal.match) ? [literal] : []
  if (alsoLiteral.length === 0 && isGuess(kana, parts)) reader.guesses.push(kana)
  return parts.map((part) => readGroup(part, alsoLiteral))
}

/**
 * Kana between other words is mostly grammar. What is left of it without particles counts when it spells a
 * word of the site; after another word it may still be an inflection, so there it only ranks.
 */
export function innerKanaGroups(kana: string, first: boolean, reader: Reader): Group[] {
  const [, stem = ''] = INNER_STEM.exec(kana) ?? []
  if (stem.length < KANA.minInner || INFLECTIONS.test(stem)) return []
  const words = reader.lexicon
    .readAs(foldReading(stem))
    .filter((word) => prominence(word) >= KANA.minProminence)
  if (words.length === 0) {
    if (first && !reader.exists(japaneseAlternative(stem, 1).match)) reader.guesses.push(stem)
    return []
  }
  return [
    {
      ...readGroup({ kana: stem, words }, [japaneseAlternative(stem, KANA.literalWeight)]),
      optional: !first,
    },
  ]
}

/** The group of one read word, most prominent words first. */
export function readGroup({ kana, words }: ReadPart, others: readonly Alternative[]): Group {
  const most = Math.max(...words.map(prominence))
  const weightOf = (word: LexiconWord): number => 0.5 + (0.5 * prominence(word)) / most
  const likely = words.slice(0, KANA.maxWords)
  const alternatives = likely.flatMap((word) => spellings(word, weightOf(word)))
  const [first] = words
  const pages = Math.max(...words.map((word) => word.pages))
  return {
    label: first?.display ?? kana,
    alternatives: [...alternatives, ...others],
    parts: [],
    optional: false,
    pages,
    weight: first === undefined ? 1 : informativeness(first),
    units: [oneOf(likely.map((word) => ({ key: word.key, weight: weightOf(word) })))],
  }
}

function spellings(word: LexiconWord, weight: number): Alternative[] {
  if (!hasJapanese(word.key)) return [namesAlternative([word.key], weight, 'word')]
  const skeleton = okuriganaSkeleton(word.key)
  const written = japaneseAlternative(word.key, weight)
  if (skeleton === word.key || Array.from(skeleton).length < 2) return [written]
  return [written, skeletonAlternative(skeleton, weight * 0.9), japaneseAlternative(skeleton, weight * 0.9)]
}
