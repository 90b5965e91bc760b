import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
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
  const threads = Math.min(MAX_THREADS, availableParallelism())
  const pool = new Tinypool({
    filename: new URL('./pack-worker.ts', import.meta.url).href,
    workerData: options,
    minThreads: threads,
    maxThreads: threads,
  })
  return {
    async store(routes, onStored) {
      const failure = new AbortController()
      try {
        await Promise.all(
          batchesOf(routes).map(async (batch) => {
            const stored: readonly StoredRoute[] = await pool.run(batch, { signal: failure.signal })
            for (const route of stored) onStored(route)
          }),
        )
      } catch (error) {
        failure.abort() // what is still in the queue would be written for nothing
        throw error
      }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

function openInlineStore(options: BlobWriterOptions): RouteStore {
  const writer = createBlobWriter(options)
  return {
    async store(routes, onStored) {
      for (const route of routes) for (const stored of writer.store(route)) onStored(stored)
    },
    async [Symbol.asyncDispose]() {},
  }
}

function batchesOf(routes: readonly RouteToStore[]): (readonly RouteToStore[])[] {
  const count = Math.ceil(routes.length / BATCH_ROUTES)
  return Array.from({ length: count }, (_, at) => routes.slice(at * BATCH_ROUTES, (at + 1) * BATCH_ROUTES))
}
