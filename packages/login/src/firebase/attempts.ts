import type { SignInOptions } from '../sign-in/flow.ts'
import { TEXTS } from '../texts/index.ts'
import type { SignInDependencies } from './dependencies.ts'
import { classifySignInFailure, messageOf } from './sign-in-failure.ts'

/** Popup and redirect sign-in. A later attempt ignores whatever an earlier one still reports. */
interface Attempts {
  byPopup(options: SignInOptions): Promise<void>
  byRedirect(options: SignInOptions): Promise<void>
  /** A user has arrived: no attempt has anything left to say. */
  settle(): void
}

/** After this time redirect sign-in is offered. */
const SLOW_AFTER_MS = 8000

/** A redirect that works has left the page long before. */
const REDIRECT_TIMEOUT_MS = 20_000

export function createAttempts({
  identity,
  alert,
  log,
  wait,
  label,
  store: { dispatch },
}: SignInDependencies): Attempts {
  let current = 0

  const byRedirect = async (options: SignInOptions): Promise<void> => {
    current += 1
    dispatch({ type: 'started', via: 'redirect', label })
    try {
      await withTimeout(identity.signInWithRedirect(options), REDIRECT_TIMEOUT_MS, wait)
    } catch (error) {
      log('Redirect sign-in failed', error)
      alert(TEXTS.failed(messageOf(error)))
      dispatch({ type: 'stopped', notice: { kind: 'failed', message: messageOf(error) } })
    }
  }

  const byPopup = async (options: SignInOptions): Promise<void> => {
    current += 1
    const own = current
    dispatch({ type: 'started', via: 'popup', label })
    void wait(SLOW_AFTER_MS).then(() => {
      if (own === current) dispatch({ type: 'became-slow' })
    })
    try {
      await identity.signInWithPopup(options)
    } catch (error) {
      if (own !== current) return
      const failure = classifySignInFailure(error)
      if (failure.kind !== 'failed') return dispatch({ type: 'stopped', notice: failure })
      log('Popup sign-in failed; trying redirect sign-in', error)
      await byRedirect(options)
    }
  }

  return {
    byPopup,
    byRedirect,
    settle: () => {
      current += 1
    },
  }
}

/** Rejects when the work has not finished in time; the work itself cannot be stopped. */
async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  const tooLate = wait(timeoutMs).then(() => {
    throw new Error(TEXTS.timedOut)
  })
  return Promise.race([work, tooLate])
}
