import { KATAKANA_REPAIR } from '../../../query-constants.ts'
import { isKatakana } from '../../../text/characters.ts'
import { japaneseAlternative } from '../terms/alternative.ts'
import type { Reader } from '../terms/reader.ts'
import type { LexiconWord } from '../words/lexicon.ts'
import type { Segment } from '../words/segment.ts'
import { latinForKana } from './latin-for-kana.ts'

/** A segment, or the word that a misspelled one was read as. */
export interface RepairedSegment extends Segment {
  /** Further words that a misspelled one may mean. */
  readonly others?: readonly string[]
}

/** Katakana that reads only as scraps of words is tried, with its neighbours, as one misspelled word. */
export function repairKatakana(typed: readonly Segment[], reader: Reader): RepairedSegment[] {
  const segments = hearNames(typed, reader)
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

/**
 * Stretches of katakana that nothing on the site has and that were read as scraps for the most part (パン, ダコ, パン): they
 * tell nothing. A stretch of one piece may still be under way when it is the last.
 */
export function katakanaScraps(segments: readonly Segment[], open: boolean, reader: Reader): string[] {
  const found: string[] = []
  for (let start = 0; start < segments.length; ) {
    let end = start
    while (end < segments.length && isKatakana(segments[end]?.text ?? '')) end += 1
    const pieces = segments.slice(start, end)
    const mayGoOn = open && end === segments.length && pieces.length === 1
    const whole = pieces.map(({ text }) => text).join('')
    if (!mayGoOn && pieces.filter(tellsNothing).length * 2 > pieces.length && !isOnSite(whole, reader))
      found.push(whole)
    start = end + 1
  }
  return found
}

/** As part of a longer word does not count for what is as short as a scrap. */
function isOnSite(whole: string, { lexicon, exists }: Reader): boolean {
  if (lexicon.find(whole) !== null) return true
  return whole.length > KATAKANA_REPAIR.scrapLength && exists(japaneseAlternative(whole, 1).match)
}

/** Names in Latin letters that were typed as they sound: stretches that the site has nowhere and that read as short words at best. */
function hearNames(segments: readonly Segment[], reader: Reader): readonly Segment[] {
  for (let start = 0; start < segments.length; start += 1) {
    let end = start
    while (end < segments.length && isKatakana(segments[end]?.text ?? '')) end += 1
    const word = end > start ? hearName(segments.slice(start, end), reader) : null
    if (word !== null)
      return [...segments.slice(0, start), { text: word.key, kind: 'word', word }, ...segments.slice(end)]
    start = end
  }
  return segments
}

function hearName(pieces: readonly Segment[], reader: Reader): LexiconWord | null {
  const typed = pieces.map(({ text }) => text).join('')
  if (!pieces.every(mayBeOfName) || reader.exists(japaneseAlternative(typed, 1).match)) return null
  const heard = latinForKana(typed, reader.lexicon)
  const [similar] = reader.findSimilar(typed)
  if (heard === null || heard.likelihood < (similar?.likelihood ?? heard.likelihood)) return null
  reader.corrections.push({ from: typed, to: heard.word.display })
  return heard.word
}

function mayBeOfName({ text, word }: Segment): boolean {
  return word === null || text.length <= KATAKANA_REPAIR.maxPiece
}

/** Reads the segments from `start` to `end` as one misspelled word; null when they are none. */
function replaceMisspelled(
  segments: readonly Segment[],
  start: number,
  end: number,
  reader: Reader,
): RepairedSegment[] | null {
  const typed = segments.slice(start, end).reduce((text, segment) => text + segment.text, '')
  if (typed.length < KATAKANA_REPAIR.scrapLength) return null // one letter is no word, and costs the store more to look for than one
  if (reader.exists(japaneseAlternative(typed, 1).match)) return null
  const [best, ...others] = reader.findSimilar(typed)
  const word = best === undefined ? null : reader.lexicon.find(best.key)
  if (word === null) return null
  reader.corrections.push({ from: typed, to: word.display })
  const repaired = { text: word.key, kind: 'word' as const, word, others: others.map((other) => other.key) }
  return [...segments.slice(0, start), repaired, ...segments.slice(end)]
}

/** The lookup form of サーバー is as short as a scrap; what is written tells the two apart. */
function tellsNothing(segment: Segment): boolean {
  return (
    isScrap(segment) && (segment.word === null || segment.word.display.length <= KATAKANA_REPAIR.scrapLength)
  )
}

function isScrap(segment: Segment | undefined): boolean {
  if (segment === undefined) return false
  return (
    isKatakana(segment.text) &&
    (segment.kind === 'unknown' || segment.text.length <= KATAKANA_REPAIR.scrapLength)
  )
}
