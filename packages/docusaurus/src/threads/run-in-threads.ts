import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Prepares once and then answers item by item, on the calling thread. */
export type CreateJob<Data, Item, Result> = (data: Data) => (item: Item) => Result

/** The same work for many items. Data, items and results are copied between threads. */
export interface Work<Data, Item, Result> {
  /** The module that exports `createJob`, which is called once in each thread. */
  readonly module: URL
  readonly createJob: CreateJob<Data, Item, Result>
  readonly data: Data
  readonly items: readonly Item[]
}

/** Below this, starting threads takes longer than they save. */
const MIN_PARALLEL_ITEMS = 64
const BATCH_ITEMS = 16
const MAX_THREADS = 8

/**
 * Answers the results in the order of the items. Many items are spread over the cores; what the work leaves in memory
 * goes with the threads, while a heap that has grown once stays large until the build ends.
 */
export async function runInThreads<Data, Item, Result>(work: Work<Data, Item, Result>): Promise<Result[]> {
  const { module, createJob, data, items } = work
  if (items.length < MIN_PARALLEL_ITEMS) {
    const answer = createJob(data)
    return items.map((item) => answer(item))
  }
  const results: Result[] = []
  const starts = Array.from({ length: Math.ceil(items.length / BATCH_ITEMS) }, (_, at) => at * BATCH_ITEMS)
  const runThread = async () => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { module: module.href, data },
    })
    try {
      for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
        const answer = once(worker, 'message')
        worker.postMessage(items.slice(start, start + BATCH_ITEMS))
        const [batch]: Result[][] = await answer
        for (const [at, result] of (batch ?? []).entries()) results[start + at] = result
      }
    } finally {
      starts.length = 0
      await worker.terminate()
    }
  }
  const threads = Math.min(MAX_THREADS, availableParallelism(), starts.length)
  const outcomes = await Promise.allSettled(Array.from({ length: threads }, runThread))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
