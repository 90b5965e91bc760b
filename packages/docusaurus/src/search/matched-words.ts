import { READER_STORAGE_KEYS } from '@sekisho/contract/browser-storage'
import type { FoundPage, MarkedRange } from '@sekisho/contract/search-response'
import type { ReaderStorage } from './device-memory.ts'

/** A page that opens later than this was not opened from the search. */
const MAX_AGE_MS = 30_000
const MAX_WORDS = 20

/** Stores the matched words for the page that is about to open, in this tab or another one. */
export function storeMatchedWords(
  storage: ReaderStorage,
  pathname: string,
  words: readonly string[],
  nowMs: number,
): void {
  try {
    storage.setItem(
      READER_STORAGE_KEYS.searchWords,
      JSON.stringify({ pathname, words: words.slice(0, MAX_WORDS), atMs: nowMs }),
    )
  } catch {
    // Without storage the page opens without marks.
  }
}

/** Reads and removes the words stored for a page. */
export function takeMatchedWords(storage: ReaderStorage, pathname: string, nowMs: number): readonly string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(READER_STORAGE_KEYS.searchWords) ?? 'null')
    if (typeof value !== 'object' || value === null || !('pathname' in value) || value.pathname !== pathname)
      return []
    storage.removeItem(READER_STORAGE_KEYS.searchWords)
    const isFresh = 'atMs' in value && Math.abs(nowMs - Number(value.atMs)) < MAX_AGE_MS
    const words = 'words' in value && Array.isArray(value.words) ? value.words : []
    return isFresh ? words.filter((word) => typeof word === 'string' && word !== '') : []
  } catch {
    return []
  }
}

/** The matched words of a result, without duplicates, longest first. */
export function matchedWords({ title, titleMarks, sections }: FoundPage): string[] {
  const texts: (readonly [text: string, marks: readonly MarkedRange[]])[] = [
    [title, titleMarks],
    ...sections.flatMap(({ heading, headingMarks, snippet }) => [
      [heading, headingMarks] as const,
      [snippet.text, snippet.marks] as const,
    ]),
  ]
  const words = texts.flatMap(([text, marks]) => marks.map(([start, end]) => text.slice(start, end).trim()))
  return [...new Set(words)].filter((word) => word !== '').sort((a, b) => b.length - a.length)
}
