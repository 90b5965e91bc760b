import type { MarkedRange } from '@sekisho/contract/search-response'
import { ENGINE } from '../../query-constants.ts'
import type { Matcher } from '../rank/matcher.ts'
import type { RankedSection } from '../rank/sections.ts'
import type { PageHead } from '../retrieve/pages.ts'
import type { FoundPage, FoundSection } from './response.ts'
import { cutSnippet, markAll } from './snippet.ts'
import type { SiteWords } from './whole-word.ts'

/** A page that was found, with its sections that have something of the query, best first. */
export interface Found {
  readonly page: PageHead
  readonly score: number
  readonly sections: readonly RankedSection[]
  /** All of its sections, best first for something else than the query. */
  readonly sectionsBy: (matchers: readonly Matcher[]) => readonly RankedSection[]
}

/** Words marked on a page: the query; where it marks nothing, its words; finally, its likely subjects. */
interface Marking {
  readonly query: readonly Matcher[]
  readonly instead: readonly (() => readonly Matcher[])[]
  readonly words: SiteWords
}

/** Reads the displayed parts of a found page. */
export function readFound(found: Found, { query, instead, words }: Marking): FoundPage {
  const { page, score } = found
  const { url, kind, breadcrumbs, tags, version, date } = page
  const shownBy = (matchers: readonly Matcher[], sections: readonly RankedSection[]): Shown => ({
    titleMarks: markAll(page.title, matchers, words),
    sections: markedSections(sections, showing(url, matchers, words)),
  })
  const byQuery = shownBy(query, found.sections)
  const byOthers = instead.values().map((make) => {
    const matchers = make()
    return shownBy(matchers, found.sectionsBy(matchers))
  })
  const marked = isMarked(byQuery) ? byQuery : (byOthers.find(isMarked) ?? byQuery)
  // The best where none has a mark.
  const sections =
    marked.sections.length > 0 ? marked.sections : found.sections.slice(0, 1).map(showing(url, query, words))
  return {
    id: page.key,
    url,
    target: sections.find(({ isNamed }) => isNamed)?.url ?? url,
    title: page.title,
    titleMarks: marked.titleMarks,
    kind: kind === 'reference' ? 'docs' : kind,
    breadcrumbs,
    tags,
    version,
    date,
    score,
    sections: sections.map(({ isNamed, ...section }) => section),
  }
}

interface ShownSection extends FoundSection {
  readonly isNamed: boolean
}

/** A title's marks, and sections that have any. */
interface Shown {
  readonly titleMarks: readonly MarkedRange[]
  readonly sections: readonly ShownSection[]
}

const isMarked = ({ titleMarks, sections }: Shown): boolean => titleMarks.length + sections.length > 0

type Show = (section: RankedSection) => ShownSection

/** Of the best sections those in which something is marked: the others have the query inside of other words. */
const markedSections = (sections: readonly RankedSection[], show: Show): ShownSection[] =>
  sections
    .values()
    .take(ENGINE.maxLookedSections)
    .map(show)
    .filter(({ headingMarks, snippet }) => headingMarks.length + snippet.marks.length > 0)
    .take(ENGINE.maxSections)
    .toArray()

const showing =
  (page: string, matchers: readonly Matcher[], words: SiteWords): Show =>
  ({ section: { heading, level, anchor, text }, isNamed }) => ({
    heading,
    headingMarks: markAll(heading, matchers, words),
    level,
    anchor,
    url: anchor === '' ? page : `${page}#${anchor}`,
    snippet: cutSnippet(text, matchers, words),
    isNamed,
  })
