import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import type { AnalysedBatch } from './analysis-worker.ts'
import type { IndexPage } from './page.ts'
import { analysePage, nameReadings, type PageAnalysis } from './page-analysis.ts'
import { createPhraseReader, type PhraseMemory } from './phrase-words.ts'
import type { SiteWord } from './vocabulary.ts'

const BATCH_PAGES = 16
/** Below this, starting threads (each loads the dictionary, and none has the memory) takes longer than the work. */
const MIN_PARALLEL_PAGES = 48
const MAX_THREADS = 4

/** How pages are read: with the site's own words, and with what is remembered of earlier builds. */
export interface Reading {
  readonly words: readonly SiteWord[]
  readonly memory: PhraseMemory
}

type OnPage = (page: IndexPage, analysis: PageAnalysis) => void

/** Analyses pages, in threads when there are many, and hands each over as soon as it is ready. */
export async function analysePages(
  pages: readonly IndexPage[],
  reading: Reading,
  onPage: OnPage,
): Promise<void> {
  if (pages.length === 0) return
  if (pages.length < MIN_PARALLEL_PAGES) {
    const readPhrase = createPhraseReader(reading.words, reading.memory)
    const readings = { readPhrase, ofNames: nameReadings(reading.words) }
    for (const page of pages) onPage(page, analysePage(page, readings))
    return
  }
  const batches = batchesOf(pages)
  // The calling thread writes meanwhile, which fills a core of its own.
  const threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1), batches.length)
  const filename = new URL('./analysis-worker.ts', import.meta.url).href
  const pool = new Tinypool({ filename, workerData: reading.words, minThreads: threads, maxThreads: threads })
  try {
    await Promise.all(
      batches.map(async (batch) => {
        const { analyses, phrases }: AnalysedBatch = await pool.run(batch)
        for (const [phrase, words] of phrases) reading.memory.set(phrase, words)
        for (const [at, analysis] of analyses.entries()) {
          const page = batch[at]
          if (page !== undefined) onPage(page, analysis)
        }
      }),
    )
  } finally {
    await pool.destroy()
  }
}

function batchesOf(pages: readonly IndexPage[]): IndexPage[][] {
  const count = Math.ceil(pages.length / BATCH_PAGES)
  return Array.from({ length: count }, (_, at) => pages.slice(at * BATCH_PAGES, (at + 1) * BATCH_PAGES))
}
