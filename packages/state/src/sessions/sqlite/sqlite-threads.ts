import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { UnavailableError } from '../../unavailable-error.ts'
import type { SessionContext, SessionStore } from '../session-store.ts'
import { StoreReplacedError } from './connection.ts'
import { type CallEngine, createSqliteSessions } from './sqlite-sessions.ts'
import type { ThreadAnswer, ThreadCall, ThreadData } from './thread.ts'

/** A large write-ahead log is read first. */
const OPEN_TIMEOUT_MS = 60_000
/** A disk that took longer is not waited for; what was asked of it may happen nevertheless. */
const CALL_TIMEOUT_MS = 15_000
/** Nobody but this thread waits for the lock, which an operator's command holds for a page of sessions at a time. */
const LOCK_TIMEOUT_MS = 5_000
/** A thread that hangs in a disk ends with the process. */
const CLOSE_TIMEOUT_MS = 5_000

/** What only reads, and would else wait behind whoever writes: a disk that syncs slowly is slow for writers alone. */
const READS: ReadonlySet<string> = new Set([
  'sessions.find',
  'sessions.ofAccount',
  'sessions.count',
  'proofs.listDue',
  'ends.findReason',
  'operators.list',
])

export interface SqliteThreadsOptions {
  readonly context: SessionContext | null
  /** Runs in each thread instead of the store's own: for tests of a slow disk. */
  readonly threadUrl?: URL
  readonly callTimeoutMs?: number
}

/**
 * Opens the store in two threads of its own, one that reads and one that writes, so that this one never waits for a disk. Throws when
 * the file is no database of ours; each call fails with `UnavailableError` when it takes too long.
 */
export async function openSqliteSessionsInThreads(
  file: string,
  { context, threadUrl = THREAD, callTimeoutMs = CALL_TIMEOUT_MS }: SqliteThreadsOptions,
): Promise<SessionStore> {
  const data = { file, context, lockTimeoutMs: LOCK_TIMEOUT_MS }
  const writer = await startThread(threadUrl, { ...data, isWriter: true }, callTimeoutMs)
  const reader = await startThread(threadUrl, { ...data, isWriter: false }, callTimeoutMs)
  const call: CallEngine = (part, method, args) =>
    (READS.has(`${part}.${method}`) ? reader : writer).call(part, method, args)
  const store = createSqliteSessions(call, () => performance.now())
  return {
    ...store,
    async close() {
      await Promise.all([writer.close(), reader.close()])
    },
  }
}

const THREAD = new URL('./thread.ts', import.meta.url)

interface Thread {
  readonly call: CallEngine
  close(): Promise<void>
}

interface Waiting {
  settle(answer: ThreadAnswer): void
  fail(error: Error): void
}

async function startThread(url: URL, workerData: ThreadData, timeoutMs: number): Promise<Thread> {
  const worker = new Worker(url, { workerData })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let lost: Error | null = null

  function abandon(error: Error): void {
    lost ??= error
    for (const one of waiting.values()) one.fail(lost)
  }
  worker.on('error', (cause) =>
    abandon(new UnavailableError('unavailable', 'the session store’s thread failed', { cause })),
  )
  worker.on('exit', () => abandon(new UnavailableError('unavailable', 'the session store is closed')))
  worker.on('message', (answer: ThreadAnswer) => waiting.get(answer.id)?.settle(answer))

  function wait(id: number, limitMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        waiting.delete(id)
      }
      const fail = (error: Error) => {
        done()
        reject(error)
      }
      const tooLate = () => fail(new UnavailableError('unavailable', 'the session store takes too long'))
      const timer = setTimeout(tooLate, limitMs)
      const settle = (answer: ThreadAnswer) => {
        if (!answer.ok) return fail(errorOf(answer))
        done()
        resolve(answer.result)
      }
      waiting.set(id, { settle, fail })
    })
  }

  try {
    await wait(0, OPEN_TIMEOUT_MS)
  } catch (error) {
    await worker.terminate()
    throw error
  }
  worker.unref()
  const call: CallEngine = (part, method, args) => {
    if (lost !== null) return Promise.reject(lost)
    lastId += 1
    worker.postMessage({ id: lastId, part, method, args } satisfies ThreadCall)
    return resultOf(wait(lastId, timeoutMs))
  }
  return {
    call,
    async close() {
      if (lost !== null) return
      worker.ref()
      const exited = once(worker, 'exit')
      await call('connection', 'close', []).catch(() => {}) // a disk that hangs: then its thread ends with the process
      await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())])
    },
  }
}

/** What a thread answers with is what its engine returned, whose types `CallEngine` was made from. */
function resultOf<T>(answer: Promise<unknown>): Promise<T> {
  return answer as Promise<T>
}

function errorOf({ message, code }: Extract<ThreadAnswer, { readonly ok: false }>): Error {
  if (code === 'session_store_replaced') return new StoreReplacedError(message)
  return Object.assign(new Error(message), code === null ? {} : { code })
}
