import type { CallEngine } from '../../threads/engine.ts'
import { startEngineThread, type ThreadOptions } from '../../threads/engine-thread.ts'
import type { SessionContext, SessionStore } from '../rows/session-store.ts'
import { StoreReplacedError } from './connection.ts'
import { createSqliteSessions, isReplaced } from './sqlite-sessions.ts'

/** Timeout of the lock, which an operator's command holds for a page of sessions at a time; only this thread waits. */
const LOCK_TIMEOUT_MS = 5_000

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
  const call: CallEngine = async ({ part, method, args, kind }) => {
    try {
      return await (kind === 'read' ? reader : writer).call(part, method, args)
    } catch (error) {
      throw isReplaced(error) ? new StoreReplacedError(error.message) : error
    }
  }
  const store = createSqliteSessions(call, context, () => performance.now())
  return {
    ...store,
    async close() {
      await Promise.all([writer.close(), reader.close()])
    },
  }
}
