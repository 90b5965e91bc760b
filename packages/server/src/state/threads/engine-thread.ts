import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import type { SessionContext } from '../sessions/rows/session-store.ts'

/** Start data of a thread. */
export type ThreadData =
  | {
      readonly kind: 'sessions'
      readonly file: string
      readonly context: SessionContext | null
      readonly lockTimeoutMs: number
      /** Concurrent calls share one sync: for the thread that writes. */
      readonly isWriter: boolean
    }
  | { readonly kind: 'publishers' | 'acknowledgements'; readonly file: string }

/** One call of a method of the engine. */
export interface ThreadCall {
  readonly id: number
  readonly part: string
  readonly method: string
  readonly args: readonly unknown[]
}

/** Result of a call; id 0 reports the store as open, or its error. */
export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | {
      readonly id: number
      readonly ok: false
      readonly message: string
      readonly code: string | null
      /** SQLite's result code. */
      readonly errcode: number | null
    }

/** A large write-ahead log is read first. */
const OPEN_TIMEOUT_MS = 60_000
/** A disk that took longer is not waited for; what was asked of it may happen nevertheless. */
const CALL_TIMEOUT_MS = 15_000
const MIN_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 5_000

export interface ThreadOptions {
  /** Runs in the thread instead of our own: for tests of a slow disk. */
  readonly threadUrl?: URL
  readonly callTimeoutMs?: number
  /** Told when a thread ended by itself, and when another has taken its place. */
  readonly onProblem?: (problem: string) => void
}

/** A blocking engine in a thread of its own, so that this one never waits for a disk. */
export interface EngineThread {
  /** Fails with `UnavailableError` when it takes too long, and while there is no thread. */
  call(part: string, method: string, args: readonly unknown[]): Promise<unknown>
  /** Resolves once the thread has ended, behind what was asked of it: one that hangs in a disk ends no sooner than that. */
  close(): Promise<void>
}

interface Waiting {
  settle(answer: ThreadAnswer): void
  fail(error: Error): void
}

const THREAD = new URL('../stores/store-thread.ts', import.meta.url)

/** Starts it. Rejects where the engine cannot be opened; one that ends later is started again, as often as it takes. */
export async function startEngineThread(data: ThreadData, options: ThreadOptions): Promise<EngineThread> {
  const { threadUrl = THREAD, callTimeoutMs = CALL_TIMEOUT_MS, onProblem = () => {} } = options
  const waiting = new Map<number, Waiting>()
  let running: Worker | null = null
  let lastId = 0
  let attempts = 0
  let isClosing = false

  /** Fails pending calls; their effect is unknown. */
  function lose(worker: Worker, reason: string): void {
    if (running !== worker) return
    running = null
    for (const one of waiting.values())
      one.fail(new UnavailableError('unavailable', 'the store’s thread ended'))
    if (isClosing) return
    onProblem(`the thread of ${data.kind} ended (${reason}); another is started`)
    startAgain()
  }
  function startAgain(): void {
    const delayMs = Math.min(MIN_BACKOFF_MS * 2 ** attempts, MAX_BACKOFF_MS)
    attempts += 1
    setTimeout(
      () => void start().then(() => onProblem(`the thread of ${data.kind} is back`), startAgain),
      delayMs,
    ).unref()
  }

  async function start(): Promise<void> {
    if (isClosing) return
    const worker = new Worker(threadUrl, { workerData: data })
    const opened = Promise.withResolvers<void>()
    let reason = 'without a word'
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error)
    })
    worker.on('exit', () => {
      opened.reject(new UnavailableError('unavailable', `the store’s thread ended: ${reason}`))
      lose(worker, reason)
    })
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.id > 0) waiting.get(answer.id)?.settle(answer)
      else if (answer.ok) opened.resolve()
      else opened.reject(errorOf(answer))
    })
    const tooLate = () =>
      opened.reject(new UnavailableError('unavailable', 'the store takes too long to open'))
    const timer = setTimeout(tooLate, OPEN_TIMEOUT_MS)
    try {
      await opened.promise
    } catch (error) {
      await worker.terminate()
      throw error
    } finally {
      clearTimeout(timer)
    }
    worker.unref()
    running = worker
    attempts = 0
  }

  function wait(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        waiting.delete(id)
      }
      const fail = (error: Error) => {
        done()
        reject(error)
      }
      const tooLate = () => fail(new UnavailableError('unavailable', 'the store takes too long'))
      const timer = setTimeout(tooLate, callTimeoutMs)
      const settle = (answer: ThreadAnswer) => {
        if (!answer.ok) return fail(errorOf(answer))
        done()
        resolve(answer.result)
      }
      waiting.set(id, { settle, fail })
    })
  }
  async function call(part: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (running === null)
      throw new UnavailableError('unavailable', 'the store’s thread is being started again')
    lastId += 1
    running.postMessage({ id: lastId, part, method, args } satisfies ThreadCall)
    return wait(lastId)
  }

  await start()
  return {
    call,
    async close() {
      isClosing = true
      const worker = running
      if (worker === null) return
      worker.ref()
      const exited = once(worker, 'exit')
      await call('connection', 'close', []).catch(() => {}) // it takes longer than a call may, and is done nevertheless
      await exited
    },
  }
}

/** An error of the engine as it was there: those who call know codes, which classes do not keep between threads. */
function errorOf({ message, code, errcode }: Extract<ThreadAnswer, { readonly ok: false }>): Error {
  return Object.assign(new Error(message), code !== null && { code }, errcode !== null && { errcode })
}
