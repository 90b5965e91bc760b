import type { IdentityUser } from '../identity/identity-service.ts'
import { messageOf } from '../identity/sign-in-failure.ts'
import { retryWhilePassing } from '../session/retry.ts'
import type { SignInDependencies } from './dependencies.ts'
import type { Notice } from './state.ts'
import type { StateStore } from './state-store.ts'

/** Exchanges a user of the identity service for a session at the gate; signs the user out unless admitted. */
export function createAdmit(
  { identity, openSession, onAdmitted, log, wait }: SignInDependencies,
  { dispatch }: StateStore,
): (user: IdentityUser) => Promise<void> {
  const forgetUser = (): Promise<void> =>
    identity.signOut().catch((error: unknown) => log('Signing out of the identity service failed', error))

  const stop = (notice: Notice): Promise<void> => {
    dispatch({ type: 'stopped', notice })
    return forgetUser()
  }

  const ask = async (user: IdentityUser, email: string): Promise<void> => {
    dispatch({ type: 'user', email })
    const tokens = await user.readTokens()
    const admission = await retryWhilePassing(() => openSession(tokens), wait)
    if (admission.kind === 'failed') return stop({ ...admission, kind: 'admission' })
    dispatch({ type: admission.kind })
    return admission.kind === 'admitted' ? onAdmitted() : forgetUser()
  }

  return async (user) => {
    if (user.email === null || user.email === '') return stop({ kind: 'no-email' })
    try {
      await ask(user, user.email)
    } catch (error) {
      log('The session could not be opened', error)
      await stop({ kind: 'failed', message: messageOf(error) })
    }
  }
}
