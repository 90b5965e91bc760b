/** Told of each finished call of a store. */
type OnStoreCall = (durationMs: number, error: unknown) => void

/** Methods that ask nothing of the disk or the database. */
const UNTIMED: ReadonlySet<PropertyKey> = new Set(['close', 'hears', 'subscribe'])

/** The store as it is, with each call of it and of its parts timed. */
export function watchStore<Store extends object>(
  store: Store,
  onCall: OnStoreCall,
  elapsed: () => number = () => performance.now(),
): Store {
  function timed(call: () => unknown): unknown {
    const startedMs = elapsed()
    const done = (error: unknown) => onCall(elapsed() - startedMs, error)
    try {
      const result = call()
      if (result instanceof Promise) result.then(() => done(undefined), done)
      else done(undefined)
      return result
    } catch (error) {
      done(error)
      throw error
    }
  }
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'object' && value !== null) return watchStore(value, onCall, elapsed)
      if (typeof value !== 'function' || UNTIMED.has(name)) return value
      return (...args: unknown[]) => timed(() => Reflect.apply(value, target, args))
    },
  })
}

export type StoreState = 'ok' | 'failing' | 'closed'

/** A store that failed for longer is no longer waited for. */
const MAX_FAILING_MS = 30_000

/** State of a store, from its calls: `closed` after half a minute of failures, or for a permanent reason. */
export function createStoreState(elapsed: () => number): {
  readonly note: (error: unknown) => void
  readonly state: () => StoreState
} {
  let failingSinceMs: number | null = null
  return {
    note(error) {
      if (error === undefined) failingSinceMs = null
      else if (isReplaced(error)) failingSinceMs = Number.NEGATIVE_INFINITY
      else failingSinceMs ??= elapsed()
    },
    state() {
      if (failingSinceMs === null) return 'ok'
      return elapsed() - failingSinceMs > MAX_FAILING_MS ? 'closed' : 'failing'
    },
  }
}

function isReplaced(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'session_store_replaced'
}
