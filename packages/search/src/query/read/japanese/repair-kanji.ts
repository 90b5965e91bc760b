import { KANJI_REPAIR } from '../../../query-constants.ts'
import { foldReading } from '../../../text/kana.ts'
import { japaneseAlternative } from '../terms/alternative.ts'
import type { Reader } from '../terms/reader.ts'
import type { LexiconWord } from '../words/lexicon.ts'
import type { RepairedSegment } from './repair-katakana.ts'

const KANJI = /^\p{Script=Han}+$/u

/**
 * Repairs kanji compounds unknown to the site: reads them as its word of the same reading (平行処理 for 並行処理) or one differing in a character
 * (条件文岐 for 条件分岐), as after a wrong conversion.
 */
export function repairKanji(
  segments: readonly RepairedSegment[],
  reader: Reader,
): readonly RepairedSegment[] {
  for (let start = 0; start < segments.length; start += 1) {
    let end = start
    while (end < segments.length && KANJI.test(segments[end]?.text ?? '')) end += 1
    for (let stop = end; stop > start + 1; stop -= 1) {
      const word = findMeant(segments.slice(start, stop), reader)
      if (word === null) continue
      const typed = textOf(segments.slice(start, stop))
      reader.corrections.push({ from: typed, to: word.display })
      return [
        ...segments.slice(0, start),
        { text: word.key, kind: 'word', word, others: [typed] },
        ...segments.slice(stop),
      ]
    }
  }
  return segments
}

const textOf = (segments: readonly RepairedSegment[]): string => segments.map(({ text }) => text).join('')

function findMeant(
  segments: readonly RepairedSegment[],
  { lexicon, findSimilar, exists }: Reader,
): LexiconWord | null {
  const typed = textOf(segments)
  if (
    typed.length < KANJI_REPAIR.length.min ||
    typed.length > KANJI_REPAIR.length.max ||
    exists(japaneseAlternative(typed, 1).match)
  )
    return null
  const isAlike = ({ key }: { readonly key: string }): boolean =>
    key.length === typed.length && [...key].some((character, at) => character === typed[at])
  const readings = segments.map(({ word }) => word?.reading ?? '')
  const sameReading = readings.includes('') ? [] : lexicon.readAs(foldReading(readings.join('')))
  const [similar] = findSimilar(typed).filter(isAlike)
  return sameReading.find(isAlike) ?? (similar === undefined ? null : lexicon.find(similar.key))
}
