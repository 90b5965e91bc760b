import type { Flow } from '../sign-in/flow.ts'
import { createAdmit } from './admit.ts'
import { createAttempts } from './attempts.ts'
import type { SignInDependencies } from './dependencies.ts'

/** Timeout after which the reader may act although the identity service has not reported a sign-in. */
const RESOLVE_TIMEOUT_MS = 15_000

/** Popup first; when that fails, redirect. */
export function createSignIn(dependencies: SignInDependencies): Flow {
  const { identity, log, wait, store } = dependencies
  const admit = createAdmit(dependencies)
  const attempts = createAttempts(dependencies)
  return {
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
    signIn: attempts.byPopup,
    signInHere: attempts.byRedirect,
  }
}
