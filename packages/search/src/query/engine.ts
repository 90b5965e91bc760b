import type { IndexedModel } from '../embeddings/model.ts'
import { openIndexFiles } from '../format/open.ts'
import { ENGINE, RANK } from '../query-constants.ts'
import { hasJapanese } from '../text/characters.ts'
import { createCoverage } from './rank/coverage.ts'
import { isInJapanese, wantsJapanese } from './rank/language.ts'
import { createMatchers, type Matcher } from './rank/matcher.ts'
import { rankByHeads, scoreOf, type Weights } from './rank/rank.ts'
import { frequencyOnPage, rankSections, tellsTrouble } from './rank/sections.ts'
import { smallestGroups } from './read/expression.ts'
import { readOperators } from './read/operators.ts'
import { readPastedLine } from './read/pasted-line.ts'
import { correct, normalQuery, type Plan, planQuery } from './read/plan.ts'
import { createLexicon } from './read/words/lexicon.ts'
import { createSpelling } from './read/words/spelling.ts'
import { createReadMeant, type Meant } from './read/words/subjects.ts'
import { conditionOf } from './retrieve/filters.ts'
import type { PageHead, Pages } from './retrieve/pages.ts'
import { createPagesOfParts, createStoreOfParts, numberParts } from './retrieve/parts.ts'
import { createPostings } from './retrieve/postings.ts'
import { type Retrieved, retrieve } from './retrieve/retrieve.ts'
import { createVectorSearch } from './retrieve/vector-search.ts'
import { countChoices } from './show/choices.ts'
import { type Found, readFound } from './show/found-page.ts'
import { meantMatchers } from './show/meant-words.ts'
import type { SearchQuery, SearchResponse } from './show/response.ts'
import type { SiteWords } from './show/whole-word.ts'

/** A file of an index. With `sha256` (hex), it must have that hash. */
export interface IndexFile {
  readonly file: string
  readonly sha256?: string
}

/** Options of `openIndex`: the hash of the file, and the files that hold the pages of one that was divided. */
export interface EngineOptions extends Omit<IndexFile, 'file'> {
  readonly parts?: readonly IndexFile[]
}

/** An open index. Searching is synchronous and takes milliseconds: run it in a worker thread of a server. */
export interface SearchEngine {
  readonly pages: number
  /** Model of its pages' vectors, required for questions too; null without vectors. */
  readonly embeddings: IndexedModel | null
  /**
   * Answers a query of at most {@link MAX_QUERY} characters; of a longer one, which a caller refuses, as much is read. With its vector,
   * pages are found that say it in other words.
   */
  search(query: SearchQuery, vector?: readonly number[] | null): SearchResponse
  /** Titles from all over the site: queries to run before the first reader's, whose code would else be cold. */
  examples(count: number): string[]
  close(): void
}

/** The longest query there is. */
export const MAX_QUERY = 500

const HIRAGANA_WITHIN = /[ぁ-ん]/
/** Neither the query as one stretch of text, nor a row of a table. */
const ANYWHERE = { whole: '', row: '' }
const NO_CHOICES = { folders: [], tags: [], versions: [], days: null }
const NOTHING: SearchResponse = { results: [], didYouMean: null, relaxed: false, choices: NO_CHOICES }

/** Opens an index file. Throws `IndexMismatchError` (`ERR_INDEX_MISMATCH`) rather than answering from a wrong one. */
export function openIndex(file: string, options: EngineOptions = {}): SearchEngine {
  const { database, divided } = openIndexFiles(file, options)
  const parts = numberParts(divided.length > 0 ? divided : [database])
  const store = createStoreOfParts(parts)
  const pages = createPagesOfParts(parts)
  const postings = createPostings(parts, store.pages)
  const lexicon = createLexicon(database)
  const findSimilar = createSpelling(database)
  const readMeant = createReadMeant(database)
  const nearest = createVectorSearch(parts)
  return {
    pages: store.pages,
    embeddings: nearest?.model ?? null,
    search(query, vector = null) {
      const { text: normal, isPasted } = readPastedLine(normalQuery(query.q.slice(0, MAX_QUERY)))
      const operators = readOperators(normal, store.count)
      const isExact = operators.required.length > 0
      const reader = {
        lexicon,
        findSimilar,
        isExact,
        isPasted,
        exists: store.exists,
        count: store.count,
        corrections: [],
        guesses: [],
      }
      const plan = planQuery(operators.text, reader)
      if (plan.groups.length === 0) return NOTHING
      const limit = limitOf(query)
      const enough = Math.max(ENGINE.minCandidates, 2 * limit)
      const meant = isExact ? [] : readMeant(operators.text)
      const retrieved = retrieve(plan, {
        store,
        postings,
        operators,
        meant,
        enough,
        condition: conditionOf(query),
        nearest: (isAllowed) => (vector === null || isExact ? [] : (nearest?.find(vector, isAllowed) ?? [])),
      })
      return respond(normal, limit, { plan, retrieved, meant }, { pages, count: store.pages, words: lexicon })
    },
    examples: pages.titles,
    close() {
      for (const one of [database, ...divided]) one.close()
    },
  }
}

const limitOf = ({ limit }: SearchQuery): number =>
  Math.min(ENGINE.maxLimit, Math.max(1, Math.trunc(limit ?? ENGINE.defaultLimit) || ENGINE.defaultLimit))

function respond(
  query: string,
  limit: number,
  { plan, retrieved, meant }: Readonly<{ plan: Plan; retrieved: Retrieved; meant: readonly Meant[] }>,
  site: { readonly pages: Pages; readonly count: number; readonly words: SiteWords },
): SearchResponse {
  if (retrieved.candidates.length === 0) return { ...NOTHING, didYouMean: didYouMean(query, plan) }
  const matchers = createMatchers(retrieved.groups, site.count)
  const isInSeveralWords = query.includes(' ') && !hasJapanese(query)
  const wordWeights = isInSeveralWords ? RANK.severalWordsWeights : RANK.wordWeights
  const weights = retrieved.asQuestion ? RANK.questionWeights : wordWeights
  const heads = site.pages.heads(retrieved.candidates.map(({ page }) => page))
  const found = rank(retrieved, matchers, plan, {
    pages: site.pages,
    heads,
    read: Math.max(limit, ENGINE.maxReadPages),
    weights,
    isInWords: hasJapanese(query),
    isTrouble: tellsTrouble(query),
    wantsJapanese: wantsJapanese(query, plan, heads),
  })
  const shown = found.slice(0, limit)
  const relaxed =
    retrieved.relaxed || plan.isGuess || (retrieved.asQuestion && !found.some((one) => hasAll(one, matchers)))
  // Whether pages that are near are near enough, only their reader can say: they are shown as having not all of it.
  if (relaxed && retrieved.near.size === 0 && !isCovered(shown, plan, site.count))
    return { ...NOTHING, didYouMean: didYouMean(query, plan) }
  const marking = {
    query: matchers,
    instead: [
      once(() => createMatchers(smallestGroups(plan.groups), site.count)),
      once(() => meantMatchers(meant)),
    ],
    words: site.words,
  }
  return {
    results: shown.map((one) => readFound(one, marking)),
    didYouMean: didYouMean(query, plan),
    relaxed,
    choices: countChoices(heads),
  }
}

/** Made when a page asks for it, which few do. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

/** Tells if a page has every significant part of a query. */
function hasAll({ page, sections }: Found, matchers: readonly Matcher[]): boolean {
  return matchers.every(
    ({ share, evaluate }, at) =>
      share < ENGINE.minShare ||
      sections.some(({ counts }) => (counts[at] ?? 0) > 0) ||
      evaluate(`${page.title}\n${page.headings}`) > 0,
  )
}

/**
 * Tells if the site or one of these pages covers more than half of a phrase; below that, pages are off topic. A single compound (二段階認証) is
 * a kind of its last word, which may help.
 */
function isCovered(found: readonly Found[], { groups }: Plan, pages: number): boolean {
  if (groups.some(({ label }) => hasJapanese(label) && !HIRAGANA_WITHIN.test(label))) return true
  const parts = groups.map((group) => createCoverage(group, pages))
  return found.some(({ page, sections }) => {
    const text = [page.title, page.headings, page.names, ...sections.map(({ section }) => section.text)].join(
      '\n',
    )
    return parts.some((coverage) => coverage(text) > ENGINE.minCoverage)
  })
}

interface Ranking {
  readonly pages: Pages
  /** Of the candidates, in their order. */
  readonly heads: readonly PageHead[]
  /** Of so many pages texts are read. */
  readonly read: number
  readonly weights: Weights
  readonly isInWords: boolean
  readonly isTrouble: boolean
  readonly wantsJapanese: boolean
}

/** Ranks by titles and headings, then reads the texts of the best. */
function rank(
  { candidates, fragments, near }: Retrieved,
  matchers: readonly Matcher[],
  plan: Plan,
  { pages, heads, read, weights, isInWords, isTrouble, wantsJapanese }: Ranking,
): Found[] {
  const best = rankByHeads(
    candidates,
    heads,
    matchers,
    { ...plan, fragments, near, isInWords },
    weights,
  ).slice(0, read)
  const texts = pages.sections(best.map(({ page }) => page.id))
  const found = best.map(({ page, features }, at): Found => {
    const sections = rankSections(texts[at] ?? [], matchers, plan, isTrouble)
    const inText = {
      section: Math.max(0, ...sections.map((one) => one.score)),
      frequency: frequencyOnPage(sections, matchers),
      row: sections.some(({ isRow }) => isRow) ? 1 : 0,
      // Who types its title wants the page, whatever it is written in.
      foreign: wantsJapanese && features.titleWhole < 1 && !isInJapanese(page, texts[at] ?? []) ? 1 : 0,
    }
    const nearest = texts[at]?.[near.get(page.id)?.section ?? -1]
    // A page with no word of the query shows what is nearest to it.
    const shown =
      sections.length > 0 || nearest === undefined
        ? sections
        : [{ section: nearest, score: 0, counts: [], isNamed: false, isRow: false }]
    return {
      page,
      score: scoreOf({ ...features, ...inText }, weights),
      sections: shown,
      sectionsBy: (others) =>
        nearest === undefined ? rankSections(texts[at] ?? [], others, ANYWHERE, false) : [],
    }
  })
  const isPost = (kind: string) => Number(kind === 'blog')
  return found.sort((a, b) => b.score - a.score || isPost(a.page.kind) - isPost(b.page.kind))
}

function didYouMean(query: string, { corrections }: Plan): string | null {
  return corrections.length === 0 ? null : correct(query, corrections.slice(0, ENGINE.maxCorrections))
}
