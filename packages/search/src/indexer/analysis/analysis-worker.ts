import Tinypool from 'tinypool'
import type { IndexPage } from './page.ts'
import { analysePage, nameReadings, type PageAnalysis } from './page-analysis.ts'
import { createPhraseReader, type ReadWord } from './phrase-words.ts'

/** A batch of pages, analysed, and the phrases that were new to this worker. */
export interface AnalysedBatch {
  readonly analyses: readonly PageAnalysis[]
  readonly phrases: readonly (readonly [phrase: string, words: readonly ReadWord[]])[]
}

/** As many phrases as a site of some thousand pages has; more are read again when they come again. */
const MAX_KNOWN = 60_000

const known = new Map<string, readonly ReadWord[]>()
let fresh: [string, readonly ReadWord[]][] = []
const readPhrase = createPhraseReader(Tinypool.workerData, {
  get: (phrase) => known.get(phrase),
  set(phrase, words) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(phrase, words)
    fresh.push([phrase, words])
  },
})

const readings = { readPhrase, ofNames: nameReadings(Tinypool.workerData) }

/** Analyses a batch of pages; runs in a thread of the pool. */
export default function analyseBatch(pages: readonly IndexPage[]): AnalysedBatch {
  const analyses = pages.map((page) => analysePage(page, readings))
  const phrases = fresh
  fresh = []
  return { analyses, phrases }
}
