import { isKatakana } from '../text/characters.ts'
import { japaneseAlternative } from './alternative.ts'
import type { Reader } from './reader.ts'
import type { Segment } from './segment.ts'

/** Katakana words as short as this are often scraps of a misspelled longer one. */
const SCRAP_LENGTH = 2

/** A segment, or the word that a misspelled one was read as. */
export interface RepairedSegment extends Segment {
  /** Further words that a misspelled one may mean. */
  readonly others?: readonly string[]
}

/** Katakana that reads only as scraps of words is tried, with its neighbours, as one misspelled word. */
export function repairKatakana(segments: readonly Segment[], reader: Reader): RepairedSegment[] {
  const scrap = segments.findIndex((segment) => isScrap(segment))
  if (scrap < 0) return [...segments]
  let [start, end] = [scrap, scrap + 1]
  while (start > 0 && isKatakana(segments[start - 1]?.text ?? '')) start -= 1
  while (end < segments.length && isKatakana(segments[end]?.text ?? '')) end += 1
  const whole = replaceMisspelled(segments, start, end, reader)
  if (whole !== null) return whole
  while (start < scrap && !isScrap(segments[start])) start += 1
  while (end > scrap + 1 && !isScrap(segments[end - 1])) end -= 1
  return replaceMisspelled(segments, start, end, reader) ?? [...segments]
}

/** Reads the segments from `start` to `end` as one misspelled word; null when they are none. */
function replaceMisspelled(
  segments: readonly Segment[],
  start: number,
  end: number,
  reader: Reader,
): RepairedSegment[] | null {
  const typed = segments.slice(start, end).reduce((text, segment) => text + segment.text, '')
  if (reader.exists(japaneseAlternative(typed, 1).match)) return null
  const [best, ...others] = reader.findSimilar(typed)
  const word = best === undefined ? null : reader.lexicon.find(best.key)
  if (word === null) return null
  reader.corrections.push({ from: typed, to: word.display })
  const repaired = { text: word.key, kind: 'word' as const, word, others: others.map((other) => other.key) }
  return [...segments.slice(0, start), repaired, ...segments.slice(end)]
}

function isScrap(segment: Segment | undefined): boolean {
  if (segment === undefined) return false
  return isKatakana(segment.text) && (segment.kind === 'unknown' || segment.text.length <= SCRAP_LENGTH)
}
