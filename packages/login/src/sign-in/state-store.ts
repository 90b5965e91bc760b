import { reduceSignIn, type SignInEvent, type SignInState } from './state.ts'

/** The one place the state lives; shaped for React's `useSyncExternalStore`. */
export interface StateStore {
  readonly getState: () => SignInState
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (event: SignInEvent) => void
}

export function createStateStore(): StateStore {
  let state: SignInState = { status: 'loading' }
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch: (event) => {
      state = reduceSignIn(state, event)
      for (const listener of listeners) listener()
    },
  }
}
