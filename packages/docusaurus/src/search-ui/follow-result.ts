import type { FoundPage } from '@sekisho/contract/search-answer'
import { noteOpened } from './ask/ask-gate.ts'
import { markedWords } from './ask/marked-words.ts'
import { currentReader } from './device/current-reader.ts'
import { rememberQuery } from './device/device-memory.ts'
import { leaveWords } from './device/handover.ts'

/** What goes with following a result: the words to mark there, the query to offer again, the note for the report. */
export function followResult(q: string, page: FoundPage, rank: number): void {
  leaveWords(localStorage, new URL(page.url, window.location.href).pathname, markedWords(page), Date.now())
  const reader = currentReader()
  if (reader !== null) rememberQuery(localStorage, reader, q)
  noteOpened(fetch, { q, rank, page: page.id })
}
