import { openIndexFile } from '../format/open.ts'
import type { Group } from './alternative.ts'
import type { FoundPage, SearchAnswer, SearchQuery } from './answer.ts'
import { type Candidate, createStore, type Store } from './candidates.ts'
import { allButOne, allGroups, anyGroup, smallestGroups } from './expression.ts'
import { createLexicon } from './lexicon.ts'
import { createMatchers, type Matcher } from './matcher.ts'
import { createPages, type PageHead, type Pages } from './pages.ts'
import { boundedQuery, type Plan, planQuery } from './plan.ts'
import { rankByHeads } from './rank.ts'
import { frequencyOnPage, type RankedSection, rankSections } from './sections.ts'
import { cutSnippet, markAll } from './snippet.ts'
import { createSpelling } from './spelling.ts'

/** Options of `openIndex`. With `sha256` (hex), the file must have that hash. */
export interface EngineOptions {
  readonly sha256?: string
}

/** An open index. Searching is synchronous and takes milliseconds: run it in a worker thread of a server. */
export interface SearchEngine {
  readonly pages: number
  search(query: SearchQuery): SearchAnswer
  /** Titles from all over the site: queries to run before the first reader's, whose code would else be cold. */
  examples(count: number): string[]
  close(): void
}

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 50
/** As many pages with the query in title or headings leave no better one to be found by its text. */
const MIN_CANDIDATES = 24
const MAX_READ_PAGES = 12
const MAX_SECTIONS = 3
const MAX_CORRECTIONS = 2
const FEW_HITS = 3
const SECTION_WEIGHT = 1.2
const FREQUENCY_WEIGHT = 2
const NOTHING: SearchAnswer = { results: [], didYouMean: null, relaxed: false }

interface Found {
  readonly page: PageHead
  readonly score: number
  readonly sections: readonly RankedSection[]
}

/** Opens an index file. Throws `IndexMismatchError` (`ERR_INDEX_MISMATCH`) rather than answering from a wrong one. */
export function openIndex(file: string, options: EngineOptions = {}): SearchEngine {
  const database = openIndexFile(file, options.sha256)
  const store = createStore(database)
  const pages = createPages(database)
  const lexicon = createLexicon(database)
  const findSimilar = createSpelling(database)
  return {
    pages: store.pages,
    search(query) {
      const plan = planQuery(query.q, {
        lexicon,
        findSimilar,
        exists: store.exists,
        corrections: [],
        guesses: [],
      })
      if (plan.groups.length === 0) return NOTHING
      return answer(query, plan, store, pages)
    },
    examples: pages.titles,
    close: () => database.close(),
  }
}

function answer(query: SearchQuery, plan: Plan, store: Store, pages: Pages): SearchAnswer {
  const limit = Math.min(MAX_LIMIT, Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT) || DEFAULT_LIMIT))
  const enough = Math.max(MIN_CANDIDATES, 2 * limit)
  const find = (match: string): Candidate[] => store.candidates(match, query.kind ?? null, enough)
  const { candidates, relaxed } = findCandidates(plan.groups, find)
  if (candidates.length === 0) return NOTHING
  const groups = relaxed ? smallestGroups(plan.groups) : plan.groups
  const matchers = createMatchers(groups, store.pages)
  const found = rank(candidates, matchers, plan.whole, pages, limit)
  return {
    results: found.slice(0, limit).map((one) => readFound(one, matchers, pages)),
    didYouMean: didYouMean(query.q, plan),
    relaxed: relaxed || plan.isGuess,
  }
}

function findCandidates(
  groups: readonly Group[],
  find: (match: string) => Candidate[],
): { candidates: Candidate[]; relaxed: boolean } {
  const strict = find(allGroups(groups))
  if (strict.length >= FEW_HITS) return { candidates: strict, relaxed: false }
  const parts = smallestGroups(groups)
  const count = parts.filter((part) => !part.optional).length
  if (count < 2) return { candidates: strict, relaxed: false }
  const looser = find(count > 2 ? allButOne(parts) : anyGroup(parts))
  if (strict.length + looser.length > 0)
    return { candidates: merge(strict, looser), relaxed: strict.length === 0 }
  return { candidates: find(anyGroup(parts)), relaxed: true }
}

function merge(first: readonly Candidate[], second: readonly Candidate[]): Candidate[] {
  const known = new Set(first.map((candidate) => candidate.page))
  return [...first, ...second.filter((candidate) => !known.has(candidate.page))]
}

function rank(
  candidates: readonly Candidate[],
  matchers: readonly Matcher[],
  whole: string,
  pages: Pages,
  limit: number,
): Found[] {
  const byHeads = rankByHeads(
    candidates,
    pages.heads(candidates.map((candidate) => candidate.page)),
    matchers,
    whole,
  )
  const read = Math.max(limit, MAX_READ_PAGES)
  const found = byHeads.slice(0, read).map(({ page, score }): Found => {
    const sections = rankSections(pages.sections(page.id), matchers, whole)
    const inText =
      SECTION_WEIGHT * (sections[0]?.score ?? 0) + FREQUENCY_WEIGHT * frequencyOnPage(sections, matchers)
    return { page, score: score + inText, sections }
  })
  return found.sort((a, b) => b.score - a.score)
}

function readFound({ page, score, sections }: Found, matchers: readonly Matcher[], pages: Pages): FoundPage {
  const { url, kind, breadcrumbs } = pages.details(page.id)
  return {
    id: page.key,
    url,
    title: page.title,
    titleMarks: markAll(page.title, matchers),
    kind,
    breadcrumbs,
    score,
    sections: sections.slice(0, MAX_SECTIONS).map(({ section }) => ({
      heading: section.heading,
      headingMarks: markAll(section.heading, matchers),
      level: section.level,
      anchor: section.anchor,
      url: section.anchor === '' ? url : `${url}#${section.anchor}`,
      snippet: cutSnippet(section.text, matchers),
    })),
  }
}

function didYouMean(query: string, { corrections }: Plan): string | null {
  if (corrections.length === 0) return null
  const normal = boundedQuery(query)
  return corrections
    .slice(0, MAX_CORRECTIONS)
    .reduce((text, { from, to }) => (text.includes(from) ? text.replace(from, () => to) : to), normal)
}
