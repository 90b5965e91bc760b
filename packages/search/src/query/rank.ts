import type { Candidate } from './candidates.ts'
import type { Matcher } from './matcher.ts'
import type { PageHead } from './pages.ts'

/** What the title and headings of a page say about the query, before its text is read. */
export interface Ranked {
  readonly page: PageHead
  readonly score: number
}

/** How much each observation counts; found by measuring on half of the development queries. */
const WEIGHTS = {
  title: 4.5,
  titleFit: 1.5,
  titleWhole: 2,
  heading: 0.8,
  headingWhole: 0.6,
  allHeadings: 0.6,
  names: 0.8,
  relevance: 2.25,
}

/** Orders candidates by what can be seen without their text. */
export function rankByHeads(
  candidates: readonly Candidate[],
  pages: readonly PageHead[],
  matchers: readonly Matcher[],
  whole: string,
): Ranked[] {
  const relevance = new Map(candidates.map((candidate) => [candidate.page, candidate.relevance]))
  const most = Math.max(...relevance.values(), Number.MIN_VALUE)
  const wholeQuery = whole === '' ? null : new RegExp(whole, 'i')
  const ranked = pages.map((page) => ({
    page,
    score: headScore(page, matchers, wholeQuery) + (WEIGHTS.relevance * (relevance.get(page.id) ?? 0)) / most,
  }))
  return ranked.sort((a, b) => b.score - a.score || a.page.key.localeCompare(b.page.key))
}

function headScore(page: PageHead, matchers: readonly Matcher[], whole: RegExp | null): number {
  const title = coverage(page.title, matchers)
  const { headings } = page
  const inHeadings = coverage(headings, matchers)
  const best =
    inHeadings === 0 ? 0 : Math.max(...headings.split('\n').map((heading) => coverage(heading, matchers)))
  return (
    WEIGHTS.title * title +
    WEIGHTS.titleFit * (title === 0 ? 0 : title * fit(page.title, matchers)) +
    WEIGHTS.titleWhole * (whole === null ? 0 : wholeness(page.title, whole)) +
    WEIGHTS.heading * best +
    WEIGHTS.headingWhole * (whole?.test(headings) ? 1 : 0) +
    WEIGHTS.allHeadings * inHeadings +
    WEIGHTS.names * coverage(page.names, matchers)
  )
}

/** Share of the query that a text contains, from 0 to 1. */
export function coverage(text: string, matchers: readonly Matcher[]): number {
  if (text === '') return 0
  return matchers.reduce((sum, matcher) => sum + matcher.share * matcher.evaluate(text), 0)
}

/** Share of a text that is the query: a title that says nothing else is likelier the answer. */
function fit(text: string, matchers: readonly Matcher[]): number {
  let length = 0
  for (const { occurrences } of matchers) {
    for (const [found] of text.matchAll(occurrences)) length += found.length
  }
  return Math.min(1, length / text.length)
}

function wholeness(text: string, whole: RegExp): number {
  const found = whole.exec(text)
  if (found === null) return 0
  if (found[0].length === text.trim().length) return 1
  return found.index === 0 ? 0.6 : 0.4
}
