import type { FoundSection, MarkedRange } from '@sekisho/contract/search-response'
import { SNIPPET } from '../../query-constants.ts'
import type { Matcher } from '../rank/matcher.ts'
import { type SiteWords, wholeWord } from './whole-word.ts'

/** A piece of text around a match; the contract says what of. */
export type Snippet = FoundSection['snippet']

interface Found {
  readonly mark: MarkedRange
  readonly start: number
  readonly end: number
  readonly matcher: Matcher
}

const CELL = ' │ '
const LINE = ' · '
/** Boundary between cells or lines. */
const GAP = /(?<=\S)[\t\n](?=\S)/g
const SENTENCE_END = /[。．.!?！？:：]$/u
/** Possible beginning of a snippet: after a sentence, a clause or a space, not after the point in `co.jp`. */
const BREAK = /[。．！？、，\s]/

/** Marks every occurrence of the query in a short text. */
export function markAll(text: string, matchers: readonly Matcher[], words: SiteWords): MarkedRange[] {
  return mergeRanges(find(text, matchers, words).map(({ mark }) => mark))
}

/** Cuts the stretch of a text that holds most of the query. */
export function cutSnippet(text: string, matchers: readonly Matcher[], words: SiteWords): Snippet {
  const found = find(text, matchers, words)
  const start = cutPoint(text, bestStart(found))
  const end = wholeCharacter(text, Math.min(text.length, start + SNIPPET.length))
  const marks = found
    .filter((one) => one.start >= start && one.end <= end)
    .map(({ mark: [from, to, ...as] }): MarkedRange => [from - start, to - start, ...as])
  return {
    ...onOneLine(text.slice(start, end), mergeRanges(marks)),
    cutStart: start > 0,
    cutEnd: end < text.length,
  }
}

/** Puts lines after one another, and keeps cells of a table and lines of code apart where nothing else does. */
function onOneLine(text: string, marks: readonly MarkedRange[]): Pick<Snippet, 'text' | 'marks'> {
  const gaps: { readonly at: number; readonly more: number }[] = []
  const line = text.replace(GAP, (space, at: number) => {
    const gap = space === '\t' ? CELL : SENTENCE_END.test(text.slice(0, at)) ? ' ' : LINE
    gaps.push({ at, more: gap.length - space.length })
    return gap
  })
  const moved = (place: number): number =>
    gaps.reduce((sum, { at, more }) => sum + (at < place ? more : 0), place)
  return {
    text: line.replaceAll(/\s/g, ' '),
    marks: marks.map(([start, end, ...as]): MarkedRange => [moved(start), moved(end), ...as]),
  }
}

function find(text: string, matchers: readonly Matcher[], words: SiteWords): Found[] {
  const found: Found[] = []
  for (const matcher of matchers)
    for (const place of matcher.find(text, SNIPPET.maxFound)) {
      const word = wholeWord(text, place, words)
      if (word !== null) found.push({ mark: word, start: word[0], end: word[1], matcher })
    }
  return found.sort((a, b) => a.start - b.start)
}

/** The first match of the window in which most of the query's weight occurs. */
function bestStart(found: readonly Found[]): number {
  let best = { start: found[0]?.start ?? 0, weight: 0 }
  found.forEach(({ start }, at) => {
    const inWindow = new Set<Matcher>()
    let count = 0
    for (let next = at; next < found.length; next += 1) {
      const one = found[next]
      if (one === undefined || one.end > start + SNIPPET.length - SNIPPET.lead) break
      inWindow.add(one.matcher)
      count += 1
    }
    const weight = [...inWindow].reduce((sum, matcher) => sum + matcher.share, 0) + Math.min(count, 4) * 0.02
    if (weight > best.weight) best = { start, weight }
  })
  return best.start
}

/** Begins a little before the match, after the last break there. */
function cutPoint(text: string, match: number): number {
  const earliest = Math.max(0, match - SNIPPET.lead)
  if (earliest === 0) return 0
  for (let at = earliest; at < match; at += 1) if (BREAK.test(text[at] ?? '')) return at + 1
  return wholeCharacter(text, earliest)
}

/** Steps back from the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/** Ranges that touch become one; that has what was typed if one of them has. */
function mergeRanges(ranges: readonly MarkedRange[]): MarkedRange[] {
  const merged: MarkedRange[] = []
  for (const range of [...ranges].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = merged.at(-1)
    if (last === undefined || range[0] > last[1]) merged.push(range)
    else {
      const [start, end] = [last[0], Math.max(last[1], range[1])]
      const isTyped = last[2] === undefined || range[2] === undefined
      merged[merged.length - 1] = isTyped ? [start, end] : [start, end, 'other']
    }
  }
  return merged
}
