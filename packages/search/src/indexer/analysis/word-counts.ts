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

/** Counts a page's words in (`sign` 1) or out (`sign` -1). */
export function countWords(
  counted: CountedWords,
  { words, glosses }: Pick<PageAnalysis, 'words' | 'glosses'>,
  sign: 1 | -1,
): void {
  for (const word of words) {
    const [headings, titles] = [word[4] === IN_HEADING ? sign : 0, word[4] === IN_TITLE ? sign : 0]
    addWord(counted, `${word[0]}\t${word[1]}`, { word, pages: sign, headings, titles })
  }
  for (const [english, japanese] of glosses)
    addGloss(counted, `${english}\t${japanese}`, { english, japanese, pages: sign })
}

/** Adds what was counted elsewhere. */
export function addCounts(counted: CountedWords, { words, glosses }: CountedWords): void {
  for (const [id, count] of words) addWord(counted, id, count)
  for (const [id, count] of glosses) addGloss(counted, id, count)
}

function addWord({ words }: CountedWords, id: string, count: WordCount): void {
  const known = words.get(id)
  if (known === undefined) words.set(id, count)
  else {
    known.pages += count.pages
    known.headings += count.headings
    known.titles += count.titles
  }
}

function addGloss({ glosses }: CountedWords, id: string, count: GlossCount): void {
  const known = glosses.get(id)
  if (known === undefined) glosses.set(id, count)
  else known.pages += count.pages
}
