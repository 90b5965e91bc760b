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
}

/** What is shown of a found page. */
export function readFound(
  { page, score, sections }: Found,
  matchers: readonly Matcher[],
  words: SiteWords,
): FoundPage {
  const { url, kind, breadcrumbs, tags, version, date } = page
  const shown = shownSections(sections, (section) => showSection(url, section, matchers, words))
  const named = shown.find(({ isNamed }) => isNamed)
  return {
    id: page.key,
    url,
    target: named?.url ?? url,
    title: page.title,
    titleMarks: markAll(page.title, matchers, words),
    kind: kind === 'reference' ? 'docs' : kind,
    breadcrumbs,
    tags,
    version,
    date,
    score,
    sections: shown.map(({ isNamed, ...section }) => section),
  }
}

interface ShownSection extends FoundSection {
  readonly isNamed: boolean
}

/** Of the best sections those in which something is marked: the others have the query inside of other words. The best where none has. */
function shownSections(
  sections: readonly RankedSection[],
  show: (section: RankedSection) => ShownSection,
): ShownSection[] {
  const marked = sections
    .values()
    .take(ENGINE.maxLookedSections)
    .map(show)
    .filter(({ headingMarks, snippet }) => headingMarks.length + snippet.marks.length > 0)
    .take(ENGINE.maxSections)
    .toArray()
  return marked.length > 0 ? marked : sections.slice(0, 1).map(show)
}

function showSection(
  page: string,
  { section: { heading, level, anchor, text }, isNamed }: RankedSection,
  matchers: readonly Matcher[],
  words: SiteWords,
): ShownSection {
  return {
    heading,
    headingMarks: markAll(heading, matchers, words),
    level,
    anchor,
    url: anchor === '' ? page : `${page}#${anchor}`,
    snippet: cutSnippet(text, matchers, words),
    isNamed,
  }
}
