import type { Matcher } from './matcher.ts'
import type { SectionRecord } from './pages.ts'
import { coverage } from './rank.ts'

/** A section with how well it answers, from 0 to about 2. */
export interface RankedSection {
  readonly section: SectionRecord
  readonly score: number
}

const MAX_COUNTED = 6
const WEIGHTS = { text: 1, heading: 0.6, whole: 0.5, often: 0.3 }

/** Orders a page's sections by how much of the query stands together in them; those without any are left out. */
export function rankSections(
  sections: readonly SectionRecord[],
  matchers: readonly Matcher[],
  whole: string,
): RankedSection[] {
  const wholeQuery = whole === '' ? null : new RegExp(whole, 'i')
  return sections
    .map((section) => ({ section, score: sectionScore(section, matchers, wholeQuery) }))
    .filter((ranked) => ranked.score > 0)
    .sort((a, b) => b.score - a.score)
}

function sectionScore(
  { heading, text }: SectionRecord,
  matchers: readonly Matcher[],
  whole: RegExp | null,
): number {
  const together = coverage(`${heading}\n${text}`, matchers)
  if (together === 0) return 0
  return (
    WEIGHTS.text * together +
    WEIGHTS.heading * coverage(heading, matchers) +
    WEIGHTS.whole * (whole?.test(text) || whole?.test(heading) ? 1 : 0) +
    WEIGHTS.often * together * frequency(text, matchers)
  )
}

function frequency(text: string, matchers: readonly Matcher[]): number {
  let count = 0
  for (const { occurrences } of matchers) {
    occurrences.lastIndex = 0
    for (let found = 0; found < MAX_COUNTED && occurrences.test(text); found += 1) count += 1
    occurrences.lastIndex = 0
  }
  return Math.min(1, count / (MAX_COUNTED * Math.max(1, matchers.length)))
}
