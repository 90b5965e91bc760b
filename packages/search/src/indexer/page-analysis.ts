import { KATAKANA_RUN } from '../text/characters.ts'
import { readIdentifier, splitChunk } from '../text/identifiers.ts'
import { foldKatakana, foldReading, loosen } from '../text/kana.ts'
import { normaliseWidth } from '../text/normalise.ts'
import { okuriganaSkeleton } from '../text/okurigana.ts'
import { tokenStreams } from '../text/tokens.ts'
import { glossesIn, headingGlosses } from './glosses.ts'
import type { IndexPage } from './page.ts'
import { phrasesIn, type ReadWord } from './phrase-words.ts'

/** Where on the page a word stands, most telling first. */
export const IN_TITLE = 2
export const IN_HEADING = 1
export const IN_BODY = 0

/** A word of the page: `[key, reading, loose reading, display, place]`. */
export type PageWord = readonly [key: string, reading: string, loose: string, display: string, place: number]

/** All that the index stores for a page beside its readable text. */
export interface PageAnalysis {
  /** One string of space-separated tokens for each of `TEXT_COLUMNS`. */
  readonly columns: readonly string[]
  readonly words: readonly PageWord[]
  readonly glosses: readonly (readonly [english: string, japanese: string])[]
}

const LATIN_CHUNK = /[\p{Script=Latin}][\p{Script=Latin}\p{N}_.:/-]*/gu
const WORD_LIMITS = { min: 2, max: 40 }

/** Reads a page into index columns, the words it adds to the lexicon, and the pairs it glosses. */
export function analysePage(
  page: IndexPage,
  readPhrase: (phrase: string) => readonly ReadWord[],
): PageAnalysis {
  const headings = page.sections.map((section) => section.heading).filter((heading) => heading !== page.title)
  const bodies = page.sections.map((section) => section.text)
  const names = pageNames(page)
  const words = new Map<string, PageWord>()
  collectWords(page.title, IN_TITLE, words, readPhrase)
  for (const heading of headings) collectWords(heading, IN_HEADING, words, readPhrase)
  for (const body of [...bodies, page.description ?? '', ...(page.keywords ?? []), ...(page.tags ?? [])]) {
    collectWords(body, IN_BODY, words, readPhrase)
  }
  return {
    columns: columnsOf(page.title, headings, names, [page.description ?? '', ...bodies]),
    words: [...words.values()],
    glosses: collectGlosses(page),
  }
}

/** Names an author gave the page beside its title: the end of its address, keywords and tags. */
export function pageNames(page: IndexPage): string {
  return [lastSegments(page.url), ...(page.keywords ?? []), ...(page.tags ?? [])].join('\n')
}

function lastSegments(url: string): string {
  const segments =
    url
      .split(/[?#]/)[0]
      ?.split('/')
      .filter((part) => part !== '' && !/^(index|readme)$/i.test(part)) ?? []
  return segments
    .slice(-1)
    .join(' ')
    .replace(/[-_.]+/g, ' ')
}

function columnsOf(
  title: string,
  headings: readonly string[],
  names: string,
  bodies: readonly string[],
): string[] {
  const inTitle = tokenStreams(title)
  const inHeadings = tokenStreams(headings.join('\n'))
  const inNames = tokenStreams(names)
  const inBody = tokenStreams(bodies.join('\n'))
  const streams = [inTitle.main, inTitle.extra, inHeadings.main, inHeadings.extra]
  return [...streams, [...inNames.main, ...inNames.extra], inBody.main, inBody.extra].map((tokens) =>
    tokens.join(' '),
  )
}

function collectWords(
  text: string,
  place: number,
  words: Map<string, PageWord>,
  readPhrase: (phrase: string) => readonly ReadWord[],
): void {
  const add = ({ id, key, folded, loose, skeleton, surface }: WordKeys): void => {
    if (words.has(id)) return
    words.set(id, [key, folded, loose, surface, place])
    if (skeleton !== null && !words.has(`${skeleton}\t`))
      words.set(`${skeleton}\t`, [skeleton, '', '', surface, place])
  }
  const wide = normaliseWidth(text)
  for (const phrase of new Set(phrasesIn(wide))) for (const word of readPhrase(phrase)) add(keysOf(word))
  for (const run of new Set(wide.match(KATAKANA_RUN) ?? []))
    if (run.length >= WORD_LIMITS.min) add(makeKeys({ surface: run, reading: run }))
  for (const chunk of new Set(wide.match(LATIN_CHUNK) ?? [])) collectNames(chunk, place, words)
}

/** What a word is looked up by. */
interface WordKeys {
  readonly id: string
  readonly key: string
  readonly folded: string
  readonly loose: string
  /** The compound without its kana, when it has any. */
  readonly skeleton: string | null
  readonly surface: string
}

const keysOfWords = new WeakMap<ReadWord, WordKeys>()

/** A phrase that comes again has the very words it had before, and words come again on most pages. */
function keysOf(word: ReadWord): WordKeys {
  const known = keysOfWords.get(word)
  if (known !== undefined) return known
  const keys = makeKeys(word)
  keysOfWords.set(word, keys)
  return keys
}

function makeKeys({ surface, reading }: ReadWord): WordKeys {
  const key = foldKatakana(surface).toLowerCase()
  const folded = foldReading(reading)
  const skeleton = okuriganaSkeleton(key)
  const isCompound = skeleton !== key && [...skeleton].length > 1
  return {
    id: `${key}\t${reading}`,
    key,
    folded,
    loose: loosen(folded),
    skeleton: isCompound ? skeleton : null,
    surface,
  }
}

function collectNames(chunk: string, place: number, words: Map<string, PageWord>): void {
  for (const name of splitChunk(chunk)) {
    const { joined, parts } = readIdentifier(name)
    for (const key of [joined, ...parts]) {
      if (key.length < WORD_LIMITS.min || key.length > WORD_LIMITS.max || !/\p{L}/u.test(key)) continue
      if (!words.has(`${key}\t`)) words.set(`${key}\t`, [key, '', '', key === joined ? name : key, place])
    }
  }
}

function collectGlosses(page: IndexPage): (readonly [string, string])[] {
  const found = [
    ...headingGlosses(page.title, lastSegments(page.url)),
    ...page.sections.flatMap((section) => [
      ...headingGlosses(section.heading, section.anchor),
      ...glossesIn(section.heading),
      ...glossesIn(section.text),
    ]),
  ]
  const pairs = new Map(found.map((gloss) => [`${gloss.english}\t${gloss.japanese}`, gloss]))
  return [...pairs.values()].map((gloss) => [gloss.english, gloss.japanese] as const)
}
