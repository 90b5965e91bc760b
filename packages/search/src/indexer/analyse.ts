import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { AnalysedBatch } from './analysis-worker.ts'
import type { IndexPage } from './page.ts'
import { analysePage, type PageAnalysis } from './page-analysis.ts'
import { createPhraseReader, type PhraseMemory } from './phrase-words.ts'
import type { SiteWord } from './vocabulary.ts'

const BATCH_PAGES = 16
/** Below this, starting workers (each loads the dictionary, and none has the memory) takes longer than the work. */
const MIN_PARALLEL_PAGES = 48
const MAX_WORKERS = 4

/** How pages are read: with the site's own words, and with what is remembered of earlier builds. */
export interface Reading {
  readonly words: readonly SiteWord[]
  readonly memory: PhraseMemory
}

type OnPage = (page: IndexPage, analysis: PageAnalysis) => void

/** Analyses pages, in worker threads when there are many, and hands each over as soon as it is ready. */
export async function analysePages(
  pages: readonly IndexPage[],
  reading: Reading,
  onPage: OnPage,
): Promise<void> {
  if (pages.length === 0) return
  if (pages.length < MIN_PARALLEL_PAGES) {
    const readPhrase = createPhraseReader(reading.words, reading.memory)
    for (const page of pages) onPage(page, analysePage(page, readPhrase))
    return
  }
  const batches = batchesOf(pages)
  // The calling thread writes meanwhile, which fills a core of its own.
  const workers = Math.min(MAX_WORKERS, Math.max(1, availableParallelism() - 1), batches.length)
  await Promise.all(Array.from({ length: workers }, () => runWorker(batches, reading, onPage)))
}

/** Takes batches from the shared list until it is empty; while one is handed over, the next is being read. */
async function runWorker(batches: IndexPage[][], reading: Reading, onPage: OnPage): Promise<void> {
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    workerData: { words: reading.words },
  })
  const ask = (batch: readonly IndexPage[] | undefined) => {
    if (batch === undefined) return null
    const answer = once(worker, 'message')
    worker.postMessage(batch)
    return { batch, answer }
  }
  try {
    for (let asked = ask(batches.shift()); asked !== null; ) {
      const { batch, answer } = asked
      const { analyses, phrases }: AnalysedBatch = (await answer)[0]
      asked = ask(batches.shift())
      for (const [phrase, words] of phrases) reading.memory.set(phrase, words)
      for (const [at, analysis] of analyses.entries()) {
        const page = batch[at]
        if (page !== undefined) onPage(page, analysis)
      }
    }
  } finally {
    await worker.terminate()
  }
}

function batchesOf(pages: readonly IndexPage[]): IndexPage[][] {
  const count = Math.ceil(pages.length / BATCH_PAGES)
  return Array.from({ length: count }, (_, at) => pages.slice(at * BATCH_PAGES, (at + 1) * BATCH_PAGES))
}
