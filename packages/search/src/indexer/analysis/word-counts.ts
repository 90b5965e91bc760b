import type { PageAnalysis, PageWord } from './page-analysis.ts'
import { IN_HEADING, IN_TITLE } from './page-texts.ts'

/** Pages of a word, and in how many it is in a heading or the title; negative where pages are taken away. */
interface WordCount {
  readonly word: PageWord
  pages: number
  headings: number
  titles: number
}

interface GlossCount {
  readonly english: string
  readonly japanese: string
  pages: number
}

/** Words and glosses of several pages, by what tells them apart. */
export interface CountedWords {
  readonly words: Map<string, WordCount>
  readonly glosses: Map<string, GlossCount>
}

/** Words of a batch in few objects, since each is copied between threads by itself. */
export interface BatchWords {
  /** A line for each: key and reading, and its other fields where its thread tells of it for the first time. */
  readonly lines: string
  /** Pages, headings and titles of each. */
  readonly counts: Uint16Array
}

/** Packs counted words and adds their ids to those that the thread has told. */
export function packWords({ words }: CountedWords, told: Set<string>): BatchWords {
  const lines: string[] = []
  const counts: number[] = []
  for (const [id, { word, pages, headings, titles }] of words) {
    lines.push(told.has(id) ? id : word.join('\t'))
    told.add(id)
    counts.push(pages, headings, titles)
  }
  return { lines: lines.join('\n'), counts: Uint16Array.from(counts) }
}

/** Counts a page's words in (`sign` 1) or out (`sign` -1). */
export function countWords(
  counted: CountedWords,
  { words, glosses }: Pick<PageAnalysis, 'words' | 'glosses'>,
  sign: 1 | -1,
): void {
  for (const word of words) {
    const [headings, titles] = [word[4] === IN_HEADING ? sign : 0, word[4] === IN_TITLE ? sign : 0]
    addWord(counted, `${word[0]}\t${word[1]}`, [sign, headings, titles], () => word)
  }
  for (const [english, japanese] of glosses)
    addGloss(counted, `${english}\t${japanese}`, { english, japanese, pages: sign })
}

/** Adds what was counted elsewhere. A word without its other fields is in the lexicon, or counted before. */
export function addCounts(
  counted: CountedWords,
  { words, glosses }: { readonly words: BatchWords; readonly glosses: CountedWords['glosses'] },
): void {
  const { counts } = words
  const lines = counts.length === 0 ? [] : words.lines.split('\n')
  for (const [at, line] of lines.entries()) {
    const count = [counts[3 * at] ?? 0, counts[3 * at + 1] ?? 0, counts[3 * at + 2] ?? 0] as const
    const end = line.indexOf('\t', line.indexOf('\t') + 1)
    const id = end < 0 ? line : line.slice(0, end)
    addWord(counted, id, count, () => readLine(line))
  }
  for (const [id, count] of glosses) addGloss(counted, id, count)
}

function readLine(line: string): PageWord {
  const [key = '', reading = '', loose = '', display = '', place, part, parts = ''] = line.split('\t')
  return [key, reading, loose, display, Number(place ?? 0), Number(part ?? 0), parts]
}

function addWord(
  { words }: CountedWords,
  id: string,
  [pages, headings, titles]: readonly [pages: number, headings: number, titles: number],
  read: () => PageWord,
): void {
  const known = words.get(id)
  if (known === undefined) words.set(id, { word: read(), pages, headings, titles })
  else {
    known.pages += pages
    known.headings += headings
    known.titles += titles
  }
}

function addGloss({ glosses }: CountedWords, id: string, count: GlossCount): void {
  const known = glosses.get(id)
  if (known === undefined) glosses.set(id, count)
  else known.pages += count.pages
}
