import { type EngineThread, startEngineThread, type ThreadOptions } from '../../threads/engine-thread.ts'
import type { SessionContext, SessionStore } from '../rows/session-store.ts'
import { StoreReplacedError } from './connection.ts'
import { type CallEngine, createSqliteSessions, isReplaced } from './sqlite-sessions.ts'

/** Timeout of the lock, which an operator's command holds for a page of sessions at a time; only this thread waits. */
const LOCK_TIMEOUT_MS = 5_000

/** Calls that only read, and need not wait behind writers: a slow disk is slow for writers alone. */
const READS: ReadonlySet<string> = new Set([
  'sessions.find',
  'sessions.ofAccount',
  'sessions.count',
  'proofs.listDue',
  'ends.findReason',
  'operators.list',
  'operators.listPlaces',
  'operators.pick',
  'grants.find',
  'grants.findToken',
  'grants.findClient',
  'grants.list',
  'grants.listSealed',
  'grants.ofAccount',
])

interface SqliteThreadsOptions extends ThreadOptions {
  readonly context: SessionContext | null
}

/**
 * Opens the store in two threads of its own, one that reads and one that writes, so that this one never waits for a disk. Throws when
 * the file is no database of ours; each call fails with `UnavailableError` when it takes too long.
 */
export async function openSqliteSessionsInThreads(
  file: string,
  { context, ...options }: SqliteThreadsOptions,
): Promise<SessionStore> {
  const data = { kind: 'sessions', file, context, lockTimeoutMs: LOCK_TIMEOUT_MS } as const
  const writer = await startEngineThread({ ...data, isWriter: true }, options)
  const reader = await startEngineThread({ ...data, isWriter: false }, options)
  const call: CallEngine = (part, method, args) =>
    resultOf((READS.has(`${part}.${method}`) ? reader : writer).call(part, method, args))
  const store = createSqliteSessions(call, () => performance.now())
  return {
    ...store,
    async close() {
      await Promise.all([writer.close(), reader.close()])
    },
  }
}

/** Result of a thread's engine, whose types `CallEngine` was made from. */
function resultOf<T>(answer: ReturnType<EngineThread['call']>): Promise<T> {
  return answer.catch((error) => {
    throw isReplaced(error) ? new StoreReplacedError(error.message) : error
  }) as Promise<T>
}
