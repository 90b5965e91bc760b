import type { Notice } from '../sign-in/state.ts'
import type { SignInDependencies } from './dependencies.ts'
import type { IdentityUser } from './identity-service.ts'
import { retryWhilePassing } from './retry.ts'
import { messageOf } from './sign-in-failure.ts'

/** Exchanges a user of the identity service for a session at the gate; signs the user out unless admitted. */
export function createAdmit({
  identity,
  openSession,
  onAdmitted,
  log,
  wait,
  store: { dispatch },
}: SignInDependencies): (user: IdentityUser) => Promise<void> {
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
