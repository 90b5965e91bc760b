import { SEGMENT } from '../../../query-constants.ts'
import { hasHan, isHiragana, splitScripts } from '../../../text/characters.ts'
import { okuriganaSkeleton } from '../../../text/okurigana.ts'
import { termOf } from '../../../text/terms.ts'
import { ASKING_WORDS, isDispensable } from './asking-words.ts'
import type { Lexicon, LexiconWord } from './lexicon.ts'

/** A piece of a Japanese run: a word of the site, kana between words, or something unknown. */
export interface Segment {
  readonly text: string
  readonly kind: 'word' | 'kana' | 'unknown'
  readonly word: LexiconWord | null
}

/** No word of the lexicon begins in hiragana or has so many of them in a row; sparing the lookup matters. */
const IMPOSSIBLE = /^[ぁ-ん].|[ぁ-ん]{4}/u

interface Step {
  readonly cost: number
  readonly from: number
  readonly segment: Segment
}

/**
 * Reads a run (folded) as the fewest words of the site; neighbouring unknown characters are joined.
 * `longest` limits words, to see what a word itself is made of. */
export function segmentRun(run: string, lexicon: Lexicon, longest: number = SEGMENT.maxWord): Segment[] {
  const characters = Array.from(run)
  const best: (Step | undefined)[] = [{ cost: 0, from: 0, segment: { text: '', kind: 'kana', word: null } }]
  for (let end = 1; end <= characters.length; end += 1) {
    for (let start = Math.max(0, end - longest); start < end; start += 1) {
      const before = best[start]
      const segment = readSegment(characters.slice(start, end).join(''), lexicon)
      if (before === undefined || segment === null) continue
      const cost = before.cost + costOf(segment)
      if (cost < (best[end]?.cost ?? Number.POSITIVE_INFINITY)) best[end] = { cost, from: start, segment }
    }
  }
  return joinNeighbours(trace(best, characters.length))
}

function readSegment(text: string, lexicon: Lexicon): Segment | null {
  const isSingle = Array.from(text).length === 1
  if (ASKING_WORDS.has(text)) return { text, kind: 'word', word: lexicon.find(text) }
  if (IMPOSSIBLE.test(text)) return null
  if (isHiragana(text)) return isSingle ? { text, kind: 'kana', word: null } : null
  const word = findWord(text, lexicon)
  if (word !== null || (!isSingle && !/[ぁ-ん]$/u.test(text) && lexicon.hasSynonyms(termOf(text))))
    return { text, kind: 'word', word }
  return isSingle ? { text, kind: 'unknown', word: null } : null
}

function findWord(text: string, lexicon: Lexicon): LexiconWord | null {
  const word = lexicon.find(text)
  if (word !== null || !hasHan(text)) return word
  const skeleton = okuriganaSkeleton(text)
  return skeleton !== text && Array.from(skeleton).length > 1 ? lexicon.find(skeleton) : null
}

function costOf(segment: Segment): number {
  if (segment.kind === 'unknown') return SEGMENT.cost.unknown
  if (segment.kind === 'kana') return SEGMENT.cost.kana
  const rarity = segment.word === null ? 0 : 0.2 / (1 + Math.log2(1 + segment.word.pages))
  return (Array.from(segment.text).length === 1 ? SEGMENT.cost.character : SEGMENT.cost.word) + rarity
}

function trace(best: readonly (Step | undefined)[], length: number): Segment[] {
  const segments: Segment[] = []
  for (let end = length; end > 0; ) {
    const step = best[end]
    if (step === undefined) break
    segments.unshift(step.segment)
    end = step.from
  }
  return segments
}

function joinNeighbours(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const before = joined.at(-1)
    if (before !== undefined && belongTogether(before, segment)) {
      const kind = segment.kind === 'kana' ? 'kana' : 'unknown'
      joined[joined.length - 1] = { text: before.text + segment.text, kind, word: null }
    } else joined.push(segment)
  }
  return joined
}

/** Unknown stretches of one script, and kanji that only stand alone in the lexicon (隠線): one word it lacks. */
function belongTogether(before: Segment, segment: Segment): boolean {
  if (splitScripts(before.text + segment.text).length > 1) return false
  if (before.kind === segment.kind && segment.kind !== 'word') return true
  return isLoneKanji(segment) && (isLoneKanji(before) || before.kind === 'unknown')
}

function isLoneKanji({ text, kind }: Segment): boolean {
  return kind !== 'kana' && Array.from(text).length === 1 && hasHan(text) && !isDispensable(text)
}
