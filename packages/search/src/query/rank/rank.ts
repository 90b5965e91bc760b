import { RANK } from '../../query-constants.ts'
import { readIdentifier } from '../../text/identifiers.ts'
import type { PageHead } from '../retrieve/pages.ts'
import type { Candidate } from '../retrieve/store.ts'
import type { Near } from '../retrieve/vector-search.ts'
import type { Matcher } from './matcher.ts'

/** Observations of a page: from its title and headings, the store's score, and its text. Each from 0 to about 1. */
interface Features {
  readonly title: number
  readonly titleFit: number
  readonly titleWhole: number
  readonly heading: number
  readonly names: number
  readonly relevance: number
  readonly qualified: number
  readonly fragment: number
  /** A page that lists what an API has, for a query in words. */
  readonly reference: number
  /** Similarity of its meaning, with a team's own model. */
  readonly likeness: number
  readonly section: number
  readonly frequency: number
  /** A row of a table begins with all of the query: it explains what is asked for. */
  readonly row: number
  /** Mismatch of the page's language with the reader's. */
  readonly foreign: number
}

/** Weight of each observation; found by measuring on half of the labelled queries. */
export type Weights = Readonly<Record<keyof Features, number>>

/** Query features compared with a page, beside the groups. */
interface Wanted {
  /** Pattern source of the query as one stretch of text. */
  readonly whole: string
  readonly qualified: readonly string[]
  readonly fragments: ReadonlyMap<number, number>
  readonly near: ReadonlyMap<number, Near>
  /** The query consists of words, not of a code name. */
  readonly isInWords: boolean
}

/** A page with what was seen of it without reading its text. */
interface Ranked {
  readonly page: PageHead
  readonly features: Omit<Features, 'section' | 'frequency' | 'row' | 'foreign'>
  readonly score: number
}

/** Adds up what was seen. */
export function scoreOf(features: Partial<Features>, weights: Weights): number {
  return Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * (features[name as keyof Features] ?? 0),
    0,
  )
}

/** Orders candidates by what can be seen without their text. */
export function rankByHeads(
  candidates: readonly Candidate[],
  pages: readonly PageHead[],
  matchers: readonly Matcher[],
  { whole, qualified, fragments, near, isInWords }: Wanted,
  weights: Weights,
): Ranked[] {
  const relevance = new Map(candidates.map((candidate) => [candidate.page, candidate.relevance]))
  const most = Math.max(...relevance.values(), Number.MIN_VALUE)
  const wholeQuery = whole === '' ? null : new RegExp(whole, 'i')
  const ranked = pages.map((page) => {
    const seen = headFeatures(page, matchers, wholeQuery)
    // A phrase that is all of its title is the name of an operation; a word alone is what a guide is about, too.
    const isNamed = seen.titleWhole === 1 && PHRASE.test(page.title)
    const features = {
      ...seen,
      relevance: (relevance.get(page.id) ?? 0) / most,
      qualified: qualifiedMatch(page, qualified),
      fragment: fragments.get(page.id) ?? 0,
      likeness: near.get(page.id)?.likeness ?? 0,
      reference: isInWords && page.kind === 'reference' && !isNamed ? 1 : 0,
    }
    return { page, features, score: scoreOf(features, weights) }
  })
  const isPost = ({ page }: Ranked) => Number(page.kind === 'blog')
  return ranked.sort(
    (a, b) => b.score - a.score || isPost(a) - isPost(b) || a.page.key.localeCompare(b.page.key),
  )
}

/** Words with kana or spaces among them. */
const PHRASE = /\p{Script=Hiragana}|\s/u

function headFeatures(page: PageHead, matchers: readonly Matcher[], whole: RegExp | null) {
  const title = coverage(page.title, matchers)
  const { headings } = page
  const inHeadings = matchers.filter(({ evaluate }) => evaluate(headings) > 0)
  const best =
    inHeadings.length === 0
      ? 0
      : Math.max(...headings.split('\n').map((heading) => coverage(heading, inHeadings)))
  return {
    title,
    titleFit: title === 0 ? 0 : title * fit(page.title, matchers),
    titleWhole: whole === null || title === 0 ? 0 : wholeness(page.title, whole),
    heading: best,
    names: coverage(page.names, matchers),
  }
}

/** Degree to which a page's address marks it as being about the last of several names within the others, from 0 to 1. */
function qualifiedMatch({ url, title }: PageHead, names: readonly string[]): number {
  const own = names.at(-1)
  if (own === undefined) return 0
  const segments = url.split('/').map((segment) => readIdentifier(segment).joined)
  if (segments.at(-1) !== own && readIdentifier(title).joined !== own) return 0
  const outer = names.slice(0, -1)
  if (outer.length === 0) return RANK.singleName
  return (1 + outer.filter((name) => segments.slice(0, -1).includes(name)).length) / names.length
}

/** Share of the query that a text contains, from 0 to 1. */
export function coverage(text: string, matchers: readonly Matcher[]): number {
  if (text === '') return 0
  return matchers.reduce((sum, matcher) => sum + matcher.share * matcher.evaluate(text), 0)
}

/** Share of a text that is the query: a title that says nothing else is likelier the answer. */
function fit(text: string, matchers: readonly Matcher[]): number {
  const places = matchers.flatMap(({ find }) => find(text, text.length))
  return Math.min(1, places.reduce((sum, [start, end]) => sum + end - start, 0) / text.length)
}

function wholeness(text: string, whole: RegExp): number {
  const found = whole.exec(text)
  if (found === null) return 0
  if (found[0].length === text.trim().length) return 1
  return found.index === 0 ? 0.6 : 0.4
}
