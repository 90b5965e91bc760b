import type { SectionRecord } from '../../format/content.ts'
import { SECTION } from '../../query-constants.ts'
import type { Plan } from '../read/plan.ts'
import type { Matcher } from './matcher.ts'
import { coverage } from './rank.ts'

/** A section with how well it answers, from 0 to about 2, and how often its text has each group. */
export interface RankedSection {
  readonly section: SectionRecord
  readonly score: number
  readonly counts: readonly number[]
  /** Its heading is the query: the reader wants this place. */
  readonly isNamed: boolean
  /** A table row begins with the query and continues with its explanation. */
  readonly isRow: boolean
}

/** Expressions of failure: a query with one is answered by a section whose heading has any. */
const TROUBLE = /ない(?![りが])|ません|できず|うまくいか|困った|エラー|トラブル|失敗/
const TROUBLE_HEADING = /(?:ない|ません)(?:とき|場合|$)|うまくいか|困った|エラー|トラブル|失敗/

/** Tells if a query reports a failure. */
export const tellsTrouble = (query: string): boolean => TROUBLE.test(query)

/** Orders a page's sections by how much of the query stands together in them; those without any are left out. */
export function rankSections(
  sections: readonly SectionRecord[],
  matchers: readonly Matcher[],
  { whole, row }: Pick<Plan, 'whole' | 'row'>,
  isTrouble: boolean,
): RankedSection[] {
  const wholeQuery = whole === '' ? null : new RegExp(whole, 'i')
  const beginsRow = row === '' ? null : new RegExp(row, 'im')
  // Among the sections of a page alone: whether the page answers, it does not tell.
  const placeOf = ({ section, score }: RankedSection): number =>
    score + (isTrouble && TROUBLE_HEADING.test(section.heading) ? SECTION.weights.trouble : 0)
  return sections
    .map((section) => rankSection(section, matchers, wholeQuery, beginsRow))
    .filter((ranked) => ranked.score > 0)
    .sort((a, b) => placeOf(b) - placeOf(a))
}

/**
 * Share of a page that is about the query, from 0 to 1: the logarithm of its least frequent group. Twenty mentions of a file tell more
 * about it than one in a heading.
 */
export function frequencyOnPage(sections: readonly RankedSection[], matchers: readonly Matcher[]): number {
  const totals = matchers.map((matcher, at) =>
    matcher.share < SECTION.minShare
      ? Number.POSITIVE_INFINITY
      : sections.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
  )
  const least = Math.min(...totals, SECTION.maxCounted)
  return Math.log2(1 + least) / Math.log2(1 + SECTION.maxCounted)
}

function rankSection(
  section: SectionRecord,
  matchers: readonly Matcher[],
  whole: RegExp | null,
  row: RegExp | null,
): RankedSection {
  const { heading, text } = section
  const inHeading = coverage(heading, matchers)
  const both = inHeading === 0 ? text : `${heading}\n${text}`
  const found = matchers.map(({ evaluate }) => evaluate(both))
  const together = matchers.reduce((sum, { share }, at) => sum + share * (found[at] ?? 0), 0)
  if (together === 0) return { section, score: 0, counts: [], isNamed: false, isRow: false }
  const counts = matchers.map(({ find }, at) => (found[at] === 0 ? 0 : find(text, SECTION.maxCounted).length))
  const hasWhole = whole?.test(text) || whole?.test(heading)
  const isRow = hasWhole === true && row?.test(text) === true
  const score =
    SECTION.weights.text * together +
    SECTION.weights.heading * Math.max(inHeading, isRow ? 1 : 0) +
    SECTION.weights.whole * (hasWhole ? 1 : 0) +
    SECTION.weights.often * together * frequency(counts)
  const isNamed = section.anchor !== '' && whole?.exec(heading)?.[0].length === heading.trim().length
  return { section, score, counts, isNamed, isRow }
}

function frequency(counts: readonly number[]): number {
  const counted = counts.reduce((sum, count) => sum + Math.min(count, SECTION.manyInSection), 0)
  return Math.min(1, counted / (SECTION.manyInSection * Math.max(1, counts.length)))
}
