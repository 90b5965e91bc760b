import { PARTS_OF_SPEECH, type PartOfSpeech } from '../../format/parts-of-speech.ts'
import { hasHan, isKatakana } from '../../text/characters.ts'
import { englishStem } from '../../text/english.ts'
import { readIdentifier } from '../../text/identifiers.ts'
import { foldKatakana, foldReading, loosen } from '../../text/kana.ts'
import { normaliseWidth } from '../../text/normalise.ts'
import { okuriganaSkeleton } from '../../text/okurigana.ts'
import { wordTerm } from '../../text/terms.ts'
import { wideTokenStreams } from '../../text/tokens.ts'
import type { SiteWord } from '../words/vocabulary.ts'
import { glossesIn, headingGlosses } from './glosses.ts'
import type { IndexPage } from './page.ts'
import { type PageTerms, TermCounter } from './page-terms.ts'
import {
  IN_AREA,
  IN_BODY,
  IN_HEADING,
  IN_NAMES,
  IN_TITLE,
  isOfText,
  type Occurrences,
  PageTexts,
} from './page-texts.ts'
import type { ReadWord } from './phrase-words.ts'

/** A word of the page. `loose` is a looser reading or an English stem, `part` a place in `PARTS_OF_SPEECH`. */
export type PageWord = readonly [
  key: string,
  reading: string,
  loose: string,
  display: string,
  place: number,
  part: number,
  parts: string,
]

/** All that the index stores for a page beside its readable text. */
export interface PageAnalysis {
  /** One string of space-separated tokens for each of `TEXT_COLUMNS`. */
  readonly columns: readonly string[]
  readonly words: readonly PageWord[]
  readonly glosses: readonly (readonly [english: string, japanese: string])[]
  readonly terms: PageTerms
}

const WORD_LIMITS = { min: 2, max: 40 }

/** Readings of the words of pages. */
export interface WordReadings {
  readonly readPhrase: (phrase: string) => readonly ReadWord[]
  /** Readings of the team's own words in katakana and Latin letters, by their key; the analyser has those of the others. */
  readonly ofNames: ReadonlyMap<string, string>
}

/** Reads a page into index columns, the words it adds to the lexicon, and the pairs it glosses. */
export function analysePage(page: IndexPage, { readPhrase, ofNames }: WordReadings): PageAnalysis {
  const title = normaliseWidth(page.title)
  const headings = page.sections
    .map((section) => section.heading)
    .filter((heading) => heading !== page.title)
    .map(normaliseWidth)
  const bodies = page.sections.map((section) => normaliseWidth(section.text))
  const description = normaliseWidth(page.description ?? '')
  const names = normaliseWidth(pageNames(page))
  const labels = [...(page.keywords ?? []), ...(page.tags ?? [])].map(normaliseWidth)
  const texts = new PageTexts()
  const terms = new TermCounter()
  const collect = (wide: string, place: number): void => {
    texts.add(wide, place)
    terms.countSubjects(wide, place)
  }
  collect(title, IN_TITLE)
  for (const heading of headings) collect(heading, IN_HEADING)
  for (const body of [...bodies, description, ...labels]) collect(body, IN_BODY)
  collect(names, IN_NAMES)
  texts.add(normaliseWidth(areaOf(page)), IN_AREA)
  return {
    columns: columnsOf(title, headings, names, [description, ...bodies]),
    words: readTexts(texts, terms, { readPhrase, ofNames }),
    glosses: collectGlosses(page),
    terms: terms.impacts(),
  }
}

/** Names an author gave the page beside its title: the end of its address, keywords and tags. */
export function pageNames(page: IndexPage): string {
  return [lastSegments(page.url), ...(page.keywords ?? []), ...(page.tags ?? [])].join('\n')
}

/** Area of a page: its breadcrumbs and the folders of its address. */
function areaOf({ url, breadcrumbs }: IndexPage): string {
  const folders = url.split(/[?#]/)[0]?.split('/').slice(0, -1) ?? []
  return [...new Set([...breadcrumbs, ...folders])].join('\n')
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
  const inTitle = wideTokenStreams(title)
  const inHeadings = wideTokenStreams(headings.join('\n'))
  const inNames = wideTokenStreams(names)
  const inBody = wideTokenStreams(bodies.join('\n'))
  const streams = [inTitle.main, inTitle.extra, inHeadings.main, inHeadings.extra]
  return [...streams, [...inNames.main, ...inNames.extra], inBody.main, inBody.extra].map((tokens) =>
    tokens.join(' '),
  )
}

/** Reads what stands in a page once: its words, and the terms that these count for. */
function readTexts(texts: PageTexts, terms: TermCounter, { readPhrase, ofNames }: WordReadings): PageWord[] {
  const words = new Map<string, PageWord>()
  const add = ({ id, key, folded, loose, skeleton, surface, part, parts }: WordKeys, place: number): void => {
    if (words.has(id)) return
    words.set(id, [key, folded, loose, surface, place, part, parts])
    if (skeleton !== null && !words.has(`${skeleton}\t`))
      words.set(`${skeleton}\t`, [skeleton, '', '', surface, place, part, ''])
  }
  for (const [phrase, occurrences] of texts.phrases) {
    let last = ''
    for (const word of readPhrase(phrase)) {
      const keys = keysOf(word)
      if (isOfText(occurrences)) add(keys, occurrences.place)
      if (word.parts !== '' || word.surface === last) continue
      last = word.surface // further readings of one word
      terms.add(keys.term, occurrences)
    }
  }
  for (const [run, occurrences] of texts.katakana) {
    const keys = makeKeys({ surface: run, reading: run, part: 'name', parts: '' })
    if (isOfText(occurrences)) add(keys, occurrences.place)
    terms.addKatakana(keys.term, occurrences)
  }
  for (const [name, occurrences] of texts.names()) readName(name, occurrences, words, terms)
  addReadings(words, ofNames)
  return [...words.values()]
}

/** Lookup keys of a word. */
interface WordKeys {
  readonly id: string
  readonly key: string
  readonly folded: string
  readonly loose: string
  /** The compound without its kana, when it has any. */
  readonly skeleton: string | null
  readonly surface: string
  readonly part: number
  readonly parts: string
  readonly term: string
}

const placeOfPart = (part: PartOfSpeech): number => PARTS_OF_SPEECH.indexOf(part)
const NAME = placeOfPart('name')

const keysOfWords = new WeakMap<ReadWord, WordKeys>()

/** A phrase that comes again has the very words it had before, and words come again on most pages. */
function keysOf(word: ReadWord): WordKeys {
  const known = keysOfWords.get(word)
  if (known !== undefined) return known
  const keys = makeKeys(word)
  keysOfWords.set(word, keys)
  return keys
}

function makeKeys({ surface, reading, part, parts }: ReadWord): WordKeys {
  const folding = foldKatakana(surface)
  const key = folding.toLowerCase()
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
    part: placeOfPart(part),
    parts,
    term: wordTerm(folding),
  }
}

/** Adds the team's readings of names as entries beside those without a reading. */
function addReadings(words: Map<string, PageWord>, ofNames: ReadonlyMap<string, string>): void {
  for (const [name, reading] of ofNames) {
    const folded = foldReading(reading)
    const word = words.get(`${name}\t`) ?? words.values().find(([key]) => key === name)
    if (word === undefined) continue
    const [key, , , display, place, part, parts] = word
    words.set(`${key}\t${reading}`, [key, folded, loosen(folded), display, place, part, parts])
  }
}

/** The team's words that the analyser does not read, by their key. */
export function nameReadings(words: readonly SiteWord[]): Map<string, string> {
  const names = words.filter(({ name }) => !hasHan(name))
  return new Map(
    names.map(({ name, reading }) => [
      isKatakana(name) ? foldKatakana(name) : readIdentifier(normaliseWidth(name)).joined,
      reading,
    ]),
  )
}

function readName(
  name: string,
  occurrences: Occurrences,
  words: Map<string, PageWord>,
  terms: TermCounter,
): void {
  const { joined, parts } = readIdentifier(name)
  for (const key of [joined, ...parts]) {
    const stem = englishStem(key)
    if (key.length > 1) terms.add(stem || key, occurrences)
    if (key.length < WORD_LIMITS.min || key.length > WORD_LIMITS.max || !/\p{L}/u.test(key)) continue
    if (words.has(`${key}\t`) || !isOfText(occurrences)) continue
    words.set(`${key}\t`, [key, '', stem, key === joined ? name : key, occurrences.place, NAME, ''])
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
