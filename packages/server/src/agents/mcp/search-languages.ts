import type { FoundPage, SearchResponse } from '@sekisho/contract/search-response'
import type { NamedIndex, ServedEdition } from '../../kernel/reader.ts'

/** Runs one query on one index. */
type RunSearch = (index: NamedIndex, limit: number) => Promise<SearchResponse | null>

/** A found page and its language: its own, or that of the index. */
export interface FoundInLanguage {
  readonly page: FoundPage
  readonly language: string
}

/** Results of every language, and what a client should know of them. */
interface FoundInLanguages {
  readonly results: readonly FoundInLanguage[]
  readonly didYouMean: string | null
  /** No page that is listed has all of the query. */
  readonly relaxed: boolean
  /** BCP 47 tags of the languages that this site has an index of. */
  readonly languages: readonly string[]
}

interface LanguageIndex {
  readonly base: string
  readonly language: string
  readonly index: NamedIndex
}

/** Kana tell Japanese; Chinese characters alone may also be Chinese. */
const SCRIPTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Han}/u, ['ja', 'zh']],
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'bg', 'sr']],
  [/\p{Script=Thai}/u, ['th']],
]
const NOT_LATIN: ReadonlySet<string> = new Set(SCRIPTS.flatMap(([, languages]) => languages))
/** `ja` of `ja-JP`. */
const primaryLanguage = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? ''
/** Two plain words are a language; one may be a name, which has none. */
const WORDS = /(?:^|\s)[a-z]{2,}(?:[?.,!]?\s+)[a-z]{2,}/i

/**
 * Searches every language of a site and merges the results, pages in the question's language first. Translations of a page count once.
 * @param wanted the language that the client asks for; empty lets the question decide
 */
export async function searchLanguages(
  question: string,
  { wanted, limit }: { readonly wanted: string; readonly limit: number },
  served: ServedEdition,
  run: RunSearch,
): Promise<FoundInLanguages> {
  const indexes = indexesOf(served)
  const named = indexes.filter(({ language }) => isSameLanguage(language, wanted))
  const searched = inOrder(named.length > 0 ? named : indexes, question).slice(0, MAX_SEARCHED)
  const found = await Promise.all(
    searched.map(async ({ index, ...of }) => ({ ...of, response: await run(index, limit) })),
  )
  const all = found.flatMap(({ base, language, response }) => {
    const byLanguage = Map.groupBy(response?.results ?? [], ({ id, title }) => {
      const own = served.edition.files.get(id)?.page?.lang
      const script = SCRIPTS.find(([characters]) => characters.test(title))
      const isOwn = own !== undefined && (script?.[1].includes(primaryLanguage(own)) ?? true)
      return isOwn ? own : language // a generator may name its own language on every page
    })
    const isComplete = response?.relaxed === false
    return [...byLanguage].map(([own, results]) => ({ base, language: own, isComplete, results }))
  })
  const asked = all.filter(({ language }) => isSameLanguage(language, wanted))
  const lists = inOrder(asked.length > 0 ? asked : all, question)
  const results = merge(lists, limit)
  const complete = new Set(lists.filter(({ isComplete }) => isComplete).map(({ language }) => language))
  return {
    results,
    didYouMean: found.find(({ response }) => response?.didYouMean)?.response?.didYouMean ?? null,
    relaxed: results.length > 0 && !results.some(({ language }) => complete.has(language)),
    languages: [...new Set([...indexes, ...all].map(({ language }) => language))],
  }
}

/** Each index once: a path without one of its own is answered by the index of the main language. */
function indexesOf({ site, search }: ServedEdition): readonly LanguageIndex[] {
  const bases = [['/', site.lang] as const, ...Object.entries(site.locales ?? {})]
  const byHash = new Map<string, LanguageIndex>()
  for (const [base, language] of bases) {
    const index = search(base)
    if (index !== null && !byHash.has(index.sha256)) byHash.set(index.sha256, { base, language, index })
  }
  return [...byHash.values()]
}

/** Most indexes that one question is asked of: a release may have thousands, and each is a search. */
const MAX_SEARCHED = 8

/** The languages that the question may be in, then the others, each in the order of the site. */
function inOrder<Of extends Pick<LanguageIndex, 'language'>>(
  indexes: readonly Of[],
  question: string,
): readonly Of[] {
  const script = SCRIPTS.find(([characters]) => characters.test(question))
  const isOf = ({ language }: Of): boolean =>
    script === undefined
      ? WORDS.test(question) && !NOT_LATIN.has(primaryLanguage(language))
      : script[1].includes(primaryLanguage(language))
  return [...indexes.filter(isOf), ...indexes.filter((one) => !isOf(one))]
}

const isSameLanguage = (language: string, wanted: string): boolean =>
  wanted !== '' && primaryLanguage(language) === primaryLanguage(wanted)

interface FoundList {
  readonly base: string
  readonly language: string
  readonly isComplete: boolean
  readonly results: readonly FoundPage[]
}

/** Of this many places one goes to a page that the first language does not have. */
const OTHERS_SHARE = 4

/** The first language keeps most places; where only another has pages with all of the query, these take turns with it. */
function merge(lists: readonly FoundList[], limit: number): readonly FoundInLanguage[] {
  const [first, ...others] = lists.map(({ results, ...list }) => ({
    ...list,
    results: results.map((page) => ({ page, language: list.language, key: keyOf(page.url, list) })),
  }))
  if (first === undefined) return []
  const known = new Set(first.results.map(({ key }) => key))
  const further = others
    .toSorted((a, b) => Number(b.isComplete) - Number(a.isComplete))
    .flatMap(({ isComplete, results }) => (isComplete || !first.isComplete ? results : []))
    .filter(({ key }) => !known.has(key) && known.add(key))
  const share = !first.isComplete && others.some(({ isComplete }) => isComplete) ? 2 : OTHERS_SHARE
  const places = Math.max(limit - first.results.length, Math.floor(limit / share))
  const kept = further.slice(0, places)
  const own = first.results.slice(0, limit - kept.length)
  const merged = share === 2 ? takeTurns(own, kept) : [...own, ...kept]
  return merged.map(({ page, language }) => ({ page, language }))
}

function takeTurns<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return Array.from({ length: Math.max(first.length, second.length) }, (_, at) =>
    [first[at], second[at]].filter((one) => one !== undefined),
  ).flat()
}

/** The same page in every language: its path without the folder of its language. */
const keyOf = (url: string, { base, language }: Pick<FoundList, 'base' | 'language'>): string =>
  (url.startsWith(base) ? url.slice(base.length) : url)
    .split('/')
    .filter((part) => part !== '' && !isSameLanguage(language, part))
    .join('/')
