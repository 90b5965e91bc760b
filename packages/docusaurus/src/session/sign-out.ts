import { forgetReader, type SessionMessage } from '@sekisho/contract/browser-storage'
import { PATHS } from '@sekisho/contract/paths'
import { request } from './session-api.ts'
import { hasGate, openChannel, sessionStore } from './tab-session.ts'

/** Scope of a sign-out: this browser's session, or all of the account. */
export type SignOutScope = 'here' | 'everywhere'

/** The gate did not end the session: the reader is still signed in and must be told. */
export class SignOutError extends Error {
  readonly code = 'SIGN_OUT_FAILED'

  constructor(options?: ErrorOptions) {
    super('The gate did not end the session', options)
    this.name = 'SignOutError'
  }
}

/** Ends sessions at the gate; one that is already over counts as ended. Resolves to where the provider ends its own, if it does. Throws a SignOutError otherwise. */
export async function endSession(
  fetcher: typeof fetch,
  scope: SignOutScope | { readonly id: string },
): Promise<string | null> {
  const all = scope === 'everywhere' ? PATHS.sessions : PATHS.session
  const endpoint = typeof scope === 'string' ? all : `${PATHS.sessions}?id=${encodeURIComponent(scope.id)}`
  const response = await fetcher(endpoint, request('DELETE')).catch((cause: unknown) => {
    throw new SignOutError({ cause })
  })
  if (!response.ok && response.status !== 401 && response.status !== 404) throw new SignOutError()
  return response.headers.get('Location')
}

/**
 * Ends the session at the gate, or all of the account's, tells the reader's other tabs, then calls the callback. This
 * page clears itself when it is left. Rejects with a SignOutError, without having called back, when the gate could
 * not be reached.
 */
export async function signOut(callback?: () => void, scope: SignOutScope = 'here'): Promise<void> {
  if (hasGate) {
    const location = await endSession(fetch, scope)
    forgetDevice()
    sessionStore.set({ status: 'signed-out' })
    openChannel().postMessage({ type: 'signed-out' } satisfies SessionMessage)
    if (location !== null) return window.location.assign(location)
  }
  callback?.()
}

/** Removes the reader's search history from this device. */
function forgetDevice(): void {
  try {
    forgetReader(window.localStorage)
  } catch {
    // Without storage there is nothing to remove.
  }
}
