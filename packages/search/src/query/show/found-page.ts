import { ENGINE } from '../../query-constants.ts'
import type { Matcher } from '../rank/matcher.ts'
import type { RankedSection } from '../rank/sections.ts'
import type { PageHead } from '../retrieve/pages.ts'
import type { FoundPage } from './response.ts'
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
  const shown = sections.slice(0, ENGINE.maxSections).map(({ section, isNamed }) => ({
    heading: section.heading,
    headingMarks: markAll(section.heading, matchers, words),
    level: section.level,
    anchor: section.anchor,
    url: section.anchor === '' ? url : `${url}#${section.anchor}`,
    snippet: cutSnippet(section.text, matchers, words),
    isNamed,
  }))
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
