import { Worker } from 'node:worker_threads'
import type { EmbeddingEndpoint } from '@sekisho/search/embeddings'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import type { SearchFound, SearchJob, SearchJobResult, SearchWorkerData } from './search-worker.ts'

/** Runs searches beside the request thread, so that a hard one delays searches and never pages. */
export interface SearchRunner {
  /** Throws `UnavailableError` for a queue too long, a stuck or a broken worker, and an index that is not the named one. */
  run(job: Omit<SearchJob, 'id'>): Promise<SearchFound>
  close(): Promise<void>
}

interface Waiting {
  resolve(found: SearchFound): void
  reject(error: Error): void
  readonly timer: NodeJS.Timeout
}

const TIMEOUT_MS = 3_000
/** A new worker loads the engine, and hashes and opens the index, before its first answer. */
const START_TIMEOUT_MS = 20_000
const MAX_WAITING = 100
const CLOSING = 'the gate is closing'

export interface SearchRunnerOptions {
  readonly workerUrl?: URL
  /** Of so many releases indexes stay open, those used last. Default: 1. */
  readonly maxReleases?: number
  /** Where questions become vectors. Default: nowhere. */
  readonly embeddings?: EmbeddingEndpoint | null
  readonly startTimeoutMs?: number
}

const WORKER = new URL('./search-worker.ts', import.meta.url)
/**
 * A search needs 40 MB of it. Without a limit V8 lets garbage grow to 130 MB before it looks; by a small one it looks at everything
 * at every 35th search, which takes more than the search does (220).
 */
const MEMORY = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 2_048 }

/** Starts the worker at the first search, and a new one after a failure. */
export function createSearchRunner({
  workerUrl = WORKER,
  startTimeoutMs = START_TIMEOUT_MS,
  maxReleases = 1,
  embeddings = null,
}: SearchRunnerOptions = {}): SearchRunner {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let hasAnswered = false
  let isClosed = false
  let lastId = 0

  function start(): Worker {
    const started = new Worker(workerUrl, {
      workerData: { maxReleases, embeddings } satisfies SearchWorkerData,
      resourceLimits: MEMORY,
    })
    hasAnswered = false
    started.unref()
    started.on('message', (result: SearchJobResult) => {
      hasAnswered = true
      const one = take(result.id)
      if (result.ok) one?.resolve({ json: result.json, hits: result.hits, pages: result.pages })
      else
        one?.reject(
          new UnavailableError('search_unavailable', `the search index cannot be used: ${result.message}`),
        )
    })
    started.on('error', (error: Error) => abandon(started, `the search worker failed: ${error.message}`))
    return started
  }
  function take(id: number): Waiting | undefined {
    const one = waiting.get(id)
    waiting.delete(id)
    clearTimeout(one?.timer)
    return one
  }
  /** Whatever the lost worker was asked is answered now; the next search starts a new one. */
  function abandon(lost: Worker, message: string): void {
    if (worker !== lost) return
    worker = null
    void lost.terminate()
    for (const id of [...waiting.keys()])
      take(id)?.reject(new UnavailableError('search_unavailable', message))
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (waiting.size >= MAX_WAITING)
          throw new UnavailableError('search_unavailable', 'too many searches at once')
        if (isClosed) throw new UnavailableError('search_unavailable', CLOSING)
        worker ??= start()
        const asked = worker
        const id = ++lastId
        const timer = setTimeout(
          () => abandon(asked, 'a search took too long'),
          hasAnswered ? TIMEOUT_MS : startTimeoutMs,
        )
        waiting.set(id, { resolve, reject, timer })
        asked.postMessage({ ...job, id } satisfies SearchJob)
      }),
    /** Whoever still waits gets the error at once: a timer left behind would keep the process for as long as a worker may start. */
    async close() {
      isClosed = true // whoever asks now would start a thread that the process exits with
      const last = worker
      if (last === null) return
      abandon(last, CLOSING)
      await last.terminate()
    },
  }
}
