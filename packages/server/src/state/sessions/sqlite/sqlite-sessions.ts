import type { Sql } from '../../sql/sql.ts'
import { type CallEngine, forwardCalls, runCall } from '../../threads/engine.ts'
import type {
  ChangeListener,
  SessionChanges,
  SessionContext,
  SessionRows,
  SessionStore,
} from '../rows/session-store.ts'
import { createEnds } from '../statements/ends.ts'
import { createGrantStore } from '../statements/grants.ts'
import { createOperators } from '../statements/operators.ts'
import { createProofs } from '../statements/proofs.ts'
import { contextName, type Look } from './connection.ts'
import { isRead, openEngine } from './engine.ts'

/** Time for which revocations by another process may stay unseen before memory answers nothing. */
const MAX_BLIND_MS = 30_000
/** Waiting holds up this thread, so a locked store fails soon. */
const LOCK_TIMEOUT_MS = 250

interface SqliteSessionsOptions {
  /** Null shows the sessions of all, as an operator's command has to; a gate names its own. */
  readonly context: SessionContext | null
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
  /** Time that a call may wait for another process' write. */
  readonly lockTimeoutMs?: number
}

/**
 * Opens the store in this thread, which each call holds up: for commands and tests. Throws when the file is no database of ours.
 */
export function openSqliteSessions(
  file: string,
  { context, elapsed = () => performance.now(), lockTimeoutMs = LOCK_TIMEOUT_MS }: SqliteSessionsOptions,
): SessionStore {
  const engine = openEngine(file, { context, lockTimeoutMs })
  return createSqliteSessions(async (call) => runCall(engine, call), context, elapsed)
}

/** The store over an engine. Rows stay true in memory until another process writes, which `takeRevocations` looks for. */
export function createSqliteSessions(
  call: CallEngine,
  owner: SessionContext | null,
  elapsed: () => number,
): SessionStore {
  const context = contextName(owner)
  const changes = createChanges(call, elapsed)
  const ask: CallEngine = async (one) => {
    try {
      return await call(one)
    } catch (error) {
      if (isReplaced(error)) changes.blind(Number.NEGATIVE_INFINITY) // of another store nothing is known at all
      throw error
    }
  }
  const close = async () =>
    void (await call({ part: 'connection', method: 'close', args: [], kind: 'write' }))
  const askSql = (method: string, args: readonly unknown[], kind: 'read' | 'write') =>
    ask({ part: 'sql', method, args, kind })
  const sql: Sql = {
    query: (text, values) =>
      askSql('query', [text, values], isRead(text) ? 'read' : 'write') as ReturnType<Sql['query']>,
    together: (...args) => askSql('together', args, 'write') as ReturnType<Sql['together']>,
    close,
  }
  return {
    sessions: forwardCalls<SessionRows>(ask, 'sessions', {
      find: 'read',
      ofAccount: 'read',
      ofIssuerSession: 'write',
      insert: 'write',
      markSeen: 'write',
      followClock: 'write',
      count: 'read',
      forgetSpent: 'write',
    }),
    proofs: { ...createProofs(sql, context), holdProving: async () => true }, // the data folder's lock lets in one gate
    ends: createEnds(sql, context),
    changes: changes.store,
    operators: createOperators(sql, context),
    grants: createGrantStore(sql, context),
    close,
  }
}

function createChanges(call: CallEngine, elapsed: () => number) {
  const listeners: ChangeListener[] = []
  let blindSinceMs: number | null = null
  function blind(sinceMs: number): void {
    blindSinceMs = Math.min(blindSinceMs ?? sinceMs, sinceMs)
  }
  const store: SessionChanges = {
    maxAgeMs: Number.POSITIVE_INFINITY,
    hears: () => blindSinceMs === null || elapsed() <= blindSinceMs + MAX_BLIND_MS,
    subscribe: (listener) => void listeners.push(listener),
    async takeRevocations() {
      blind(elapsed()) // until there is an answer
      try {
        const look = await call({ part: 'changes', method: 'look', args: [], kind: 'write' })
        const { isChanged, revoked } = look as Look // the engine's
        if (isChanged) for (const listener of listeners) listener(null)
        blindSinceMs = null
        return revoked
      } catch (error) {
        if (isReplaced(error)) blind(Number.NEGATIVE_INFINITY)
        throw error
      }
    },
  }
  return { store, blind }
}

export function isReplaced(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'session_store_replaced'
}
