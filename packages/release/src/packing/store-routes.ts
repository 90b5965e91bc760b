import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import {
  type BlobWriterOptions,
  createBlobWriter,
  type RouteToStore,
  type StoredRoute,
} from './blob-writer.ts'

/** Routes handed to a thread at a time. */
const BATCH_ROUTES = 8
/** Below this, starting threads takes longer than they save. */
const MIN_PARALLEL_ROUTES = 64
const MAX_THREADS = 8

/** Stores files of a build, each when its turn comes; `onStored` is called for each in no particular order. */
export interface RouteStore extends AsyncDisposable {
  store(routes: readonly RouteToStore[], onStored: (stored: StoredRoute) => void): Promise<void>
}

/** Opens a store for about so many files: with threads when there are many, since compressing fills them all. */
export function openRouteStore(routeCount: number, options: BlobWriterOptions): RouteStore {
  if (routeCount < MIN_PARALLEL_ROUTES) return openInlineStore(options)
  const count = Math.min(MAX_THREADS, availableParallelism())
  const url = new URL('./pack-worker.ts', import.meta.url)
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData: options }))
  return {
    async store(routes, onStored) {
      const batches = batchesOf(routes).values()
      const run = async (worker: Worker) => {
        for (const batch of batches) {
          const answer = once(worker, 'message')
          worker.postMessage(batch)
          const [stored]: StoredRoute[][] = await answer
          for (const route of stored ?? []) onStored(route)
        }
      }
      // After a failure the rest is left; nothing is still being written when it is thrown.
      const outcomes = await Promise.allSettled(
        workers.map((worker) => run(worker).finally(() => batches.return?.())),
      )
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

function openInlineStore(options: BlobWriterOptions): RouteStore {
  const writer = createBlobWriter(options)
  return {
    async store(routes, onStored) {
      for (const route of routes) onStored(writer.store(route))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function batchesOf(routes: readonly RouteToStore[]): (readonly RouteToStore[])[] {
  const count = Math.ceil(routes.length / BATCH_ROUTES)
  return Array.from({ length: count }, (_, at) => routes.slice(at * BATCH_ROUTES, (at + 1) * BATCH_ROUTES))
}
