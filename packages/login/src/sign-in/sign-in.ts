import { createAdmit } from './admit.ts'
import { createAttempts } from './attempts.ts'
import type { SignInDependencies } from './dependencies.ts'
import type { SignInState } from './state.ts'
import { createStateStore } from './state-store.ts'

/** The sign-in flow of one visitor. */
export interface SignIn {
  readonly getState: () => SignInState
  readonly subscribe: (listener: () => void) => () => void
  start(): void
  /** Popup first; when that fails, redirect. */
  signIn(): Promise<void>
  /** Straight to redirect, for a reader who never saw the popup. */
  signInByRedirect(): Promise<void>
}

/** After this the reader may act, although the identity service has not said whether somebody is signed in. */
const RESOLVE_TIMEOUT_MS = 15_000

export function createSignIn(dependencies: SignInDependencies): SignIn {
  const { identity, log, wait } = dependencies
  const store = createStateStore()
  const admit = createAdmit(dependencies, store)
  const attempts = createAttempts(dependencies, store)
  let chooseAccount = false
  store.subscribe(() => {
    const { status } = store.getState()
    if (status === 'refused') chooseAccount = true
  })
  return {
    getState: store.getState,
    subscribe: store.subscribe,
    start: () => {
      identity
        .readRedirectResult()
        .catch((error: unknown) => log('The redirect result could not be read', error))
      identity.watch((user) => {
        if (user === null) return store.dispatch({ type: 'resolved-without-user', notice: null })
        attempts.settle()
        void admit(user)
      })
      void wait(RESOLVE_TIMEOUT_MS).then(() =>
        store.dispatch({ type: 'resolved-without-user', notice: { kind: 'no-answer' } }),
      )
    },
    signIn: () => attempts.byPopup({ chooseAccount }),
    signInByRedirect: () => attempts.byRedirect({ chooseAccount }),
  }
}
