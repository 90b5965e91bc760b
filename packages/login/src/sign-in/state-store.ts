import { reduceSignIn, type SignInEvent, type SignInState } from './state.ts'

/** The one place the state lives; shaped for React's `useSyncExternalStore`. */
export interface StateStore {
  readonly getState: () => SignInState
  readonly subscribe: (listener: () => void) => () => void
  /** True once an account was refused on this page: the provider must then offer a choice. */
  readonly wasRefused: () => boolean
  readonly dispatch: (event: SignInEvent) => void
}

/** @param flows number of flows that must report no return before the reader may act */
export function createStateStore(flows = 1): StateStore {
  let state: SignInState = { status: 'loading' }
  const listeners = new Set<() => void>()
  let waitingFor = flows
  let wasRefused = false
  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wasRefused: () => wasRefused,
    dispatch: (event) => {
      if (event.type === 'resolved-without-user') waitingFor -= 1
      if (event.type === 'resolved-without-user' && waitingFor > 0) return
      state = reduceSignIn(state, event)
      if (state.status === 'refused') wasRefused = true
      for (const listener of listeners) listener()
    },
  }
}
