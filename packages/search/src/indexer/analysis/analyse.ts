import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import type { SiteWord } from '../words/vocabulary.ts'
import { type AnalysedBatch, analyseBatch } from './analyse-batch.ts'
import type { ReadBatch } from './analysis-worker.ts'
import type { IndexPage } from './page.ts'
import { nameReadings } from './page-analysis.ts'
import { createPhraseReader, type PhraseMemory } from './phrase-words.ts'

const BATCH_PAGES = 32
/** Below this, starting threads (each loads the dictionary, and none has the memory) takes longer than the work. */
const MIN_PARALLEL_PAGES = 48
const MAX_THREADS = 4
/** So many batches wait for each thread, and no more pages are read until one is done. */
const MAX_AHEAD = 2
/** A page of many megabytes must fit; without a limit a thread takes its garbage out when there is a multiple of what it needs. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 }

/** Means of reading pages: the site's own words, and results of earlier builds. */
export interface Reading {
  readonly words: readonly SiteWord[]
  readonly memory: PhraseMemory & { add(phrase: string, words: string): void }
}

/** Analyses pages, in threads when there are many, and hands them over as soon as they are ready. */
export async function analysePages<Item extends { readonly page: IndexPage }>(
  items: AsyncIterator<Item>,
  reading: Reading,
  onBatch: (items: readonly Item[], batch: AnalysedBatch) => void,
): Promise<void> {
  const few = await take(items, MIN_PARALLEL_PAGES)
  if (few.length < MIN_PARALLEL_PAGES) {
    const readPhrase = createPhraseReader(reading.words, reading.memory)
    const readings = { readPhrase, ofNames: nameReadings(reading.words) }
    onBatch(few, analyseBatch(few.map(pageOf), readings, new Set()))
    return
  }
  // The calling thread writes meanwhile, which fills a core of its own.
  const threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1))
  const filename = new URL('./analysis-worker.ts', import.meta.url).href
  const pool = new Tinypool({
    filename,
    workerData: reading.words,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: THREAD_MEMORY,
  })
  const analyse = async (items: readonly Item[]): Promise<void> => {
    const { batch, phrases }: ReadBatch = await pool.run(items.map(pageOf))
    for (const [phrase, words] of phrases) reading.memory.add(phrase, words)
    onBatch(items, batch)
  }
  const running = new Set<Promise<void>>()
  try {
    for (let batch: readonly Item[] = few; batch.length > 0; batch = await take(items, BATCH_PAGES)) {
      const job = analyse(batch).then(() => void running.delete(job))
      job.catch(() => undefined) // whoever waits for it is told
      running.add(job)
      if (running.size > threads * MAX_AHEAD) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    await pool.destroy()
  }
}

const pageOf = ({ page }: { readonly page: IndexPage }): IndexPage => page

async function take<Item>(items: AsyncIterator<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = []
  while (taken.length < count) {
    const next = await items.next()
    if (next.done === true) break
    taken.push(next.value)
  }
  return taken
}
