import Tinypool from 'tinypool'
import { type AnalysedBatch, analyseBatch } from './analyse-batch.ts'
import type { IndexPage } from './page.ts'
import { nameReadings } from './page-analysis.ts'
import { createPhraseReader, type ReadWord } from './phrase-words.ts'

/** A batch of pages, analysed, and the phrases that were new to this worker, with their words as JSON. */
export interface ReadBatch {
  readonly batch: AnalysedBatch
  readonly phrases: readonly (readonly [phrase: string, words: string])[]
}

/** As many phrases as a site of some thousand pages has; more are read again when they come again. */
const MAX_KNOWN = 120_000

const known = new Map<string, readonly ReadWord[]>()
/** Words that were read, each once: most are in many phrases. */
const words = new Map<string, ReadWord>()
let fresh: [string, string][] = []
const told = new Set<string>()
const readPhrase = createPhraseReader(Tinypool.workerData, {
  get: (phrase) => known.get(phrase),
  set(phrase, read) {
    if (known.size >= MAX_KNOWN) {
      known.clear()
      words.clear()
      told.clear()
    }
    fresh.push([phrase, JSON.stringify(read)])
    const shared = read.map(shareWord)
    known.set(phrase, shared)
    return shared
  },
})

function shareWord(word: ReadWord): ReadWord {
  const id = `${word.surface}\t${word.reading}\t${word.part}\t${word.parts}`
  const shared = words.get(id)
  if (shared === undefined) words.set(id, word)
  return shared ?? word
}

const readings = { readPhrase, ofNames: nameReadings(Tinypool.workerData) }

/** Analyses a batch of pages; runs in a thread of the pool. */
export default function readBatch(pages: readonly IndexPage[]): ReadBatch {
  const batch = analyseBatch(pages, readings, told)
  const phrases = fresh
  fresh = []
  return { batch, phrases }
}
