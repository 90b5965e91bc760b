import type { ChangeListener, SessionChanges, SessionContext, SessionStore } from '../rows/session-store.ts'
import { openEngine, type SqliteEngine } from './engine.ts'

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

type Part = keyof SqliteEngine
type Method<P extends Part> = keyof SqliteEngine[P] & string
type Args<P extends Part, M extends Method<P>> = SqliteEngine[P][M] extends (...args: infer A) => unknown
  ? A
  : never
type Result<P extends Part, M extends Method<P>> = SqliteEngine[P][M] extends (...args: never) => infer R
  ? R
  : never

/** Has an engine answer one call, wherever it runs. */
export type CallEngine = <P extends Part, M extends Method<P>>(
  part: P,
  method: M,
  args: Args<P, M>,
) => Promise<Result<P, M>>

/**
 * Opens the store in this thread, which each call holds up: for commands and tests. Throws when the file is no database of ours.
 */
export function openSqliteSessions(
  file: string,
  { context, elapsed = () => performance.now(), lockTimeoutMs = LOCK_TIMEOUT_MS }: SqliteSessionsOptions,
): SessionStore {
  const engine = openEngine(file, { context, lockTimeoutMs })
  return createSqliteSessions(async (part, method, args) => callOf(engine, part, method)(...args), elapsed)
}

/** The method of an engine: the types of both were made from the engine's. */
export function callOf<P extends Part, M extends Method<P>>(
  engine: SqliteEngine,
  part: P,
  method: M,
): (...args: Args<P, M>) => Result<P, M> {
  return engine[part][method] as (...args: Args<P, M>) => Result<P, M>
}

/** The store over an engine. Rows stay true in memory until another process writes, which `takeRevocations` looks for. */
export function createSqliteSessions(call: CallEngine, elapsed: () => number): SessionStore {
  const changes = createChanges(call, elapsed)
  const ask: CallEngine = async (part, method, args) => {
    try {
      return await call(part, method, args)
    } catch (error) {
      if (isReplaced(error)) changes.blind(Number.NEGATIVE_INFINITY) // of another store nothing is known at all
      throw error
    }
  }
  return {
    sessions: {
      find: (...args) => ask('sessions', 'find', args),
      ofAccount: (...args) => ask('sessions', 'ofAccount', args),
      ofIssuerSession: (...args) => ask('sessions', 'ofIssuerSession', args),
      insert: (...args) => ask('sessions', 'insert', args),
      markSeen: (...args) => ask('sessions', 'markSeen', args),
      followClock: (...args) => ask('sessions', 'followClock', args),
      count: () => ask('sessions', 'count', []),
      forgetSpent: (...args) => ask('sessions', 'forgetSpent', args),
    },
    proofs: {
      markProven: (...args) => ask('proofs', 'markProven', args),
      listDue: (...args) => ask('proofs', 'listDue', args),
      holdProving: async () => true, // the data folder's lock lets in one gate
    },
    ends: {
      remove: (...args) => ask('ends', 'remove', args),
      removeExpired: (...args) => ask('ends', 'removeExpired', args),
      findReason: (...args) => ask('ends', 'findReason', args),
      forgetReasons: (...args) => ask('ends', 'forgetReasons', args),
    },
    changes: changes.store,
    operators: {
      list: (...args) => ask('operators', 'list', args),
      listPlaces: (...args) => ask('operators', 'listPlaces', args),
      pick: (...args) => ask('operators', 'pick', args),
      revoke: (...args) => ask('operators', 'revoke', args),
      unbind: (...args) => ask('operators', 'unbind', args),
    },
    grants: {
      insert: (...args) => ask('grants', 'insert', args),
      findToken: (...args) => ask('grants', 'findToken', args),
      find: (...args) => ask('grants', 'find', args),
      rotate: (...args) => ask('grants', 'rotate', args),
      ofAccount: (...args) => ask('grants', 'ofAccount', args),
      remove: (...args) => ask('grants', 'remove', args),
      markUsed: (...args) => ask('grants', 'markUsed', args),
      removeExpired: (...args) => ask('grants', 'removeExpired', args),
      list: (...args) => ask('grants', 'list', args),
      listSealed: (...args) => ask('grants', 'listSealed', args),
      setSeals: (...args) => ask('grants', 'setSeals', args),
      register: (...args) => ask('grants', 'register', args),
      findClient: (...args) => ask('grants', 'findClient', args),
      markClientUsed: (...args) => ask('grants', 'markClientUsed', args),
      forgetClients: (...args) => ask('grants', 'forgetClients', args),
    },
    close: () => call('connection', 'close', []),
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
        const { isChanged, revoked } = await call('changes', 'look', [])
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
