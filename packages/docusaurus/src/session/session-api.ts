import { readReleaseTiming } from '@sekisho/contract/answer-headers'
import { PATHS } from '@sekisho/contract/routes'
import {
  type Reader,
  readIsSignInConfigured,
  readReader,
  readRelease,
} from '@sekisho/contract/session-answer'

/** Which sessions a sign-out ends: this browser's, or every one of the account. */
export type SignOutScope = 'here' | 'everywhere'

/** The gate's response about the session. `unknown`: no gate responded, which is no reason to sign anybody out. */
export type SessionStatus =
  | {
      readonly kind: 'signed-in'
      readonly reader: Reader
      readonly isSignInConfigured: boolean
      /** The release being served; null when the gate does not say. */
      readonly release: string | null
    }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unknown' }

/** The gate did not end the session: the reader is still signed in and must be told. */
export class SignOutError extends Error {
  readonly code = 'SIGN_OUT_FAILED'

  constructor(options?: ErrorOptions) {
    super('The gate did not end the session', options)
    this.name = 'SignOutError'
  }
}

/** Asks the gate who is signed in. Never throws. */
export async function askSession(fetcher: typeof fetch): Promise<SessionStatus> {
  try {
    const response = await fetcher(PATHS.session, request('GET'))
    if (response.status === 401) return { kind: 'signed-out' }
    const answer: unknown = response.status === 200 ? await response.json() : null
    const reader = readReader(answer)
    if (reader === null) return { kind: 'unknown' }
    const isSignInConfigured = readIsSignInConfigured(answer)
    return { kind: 'signed-in', reader, isSignInConfigured, release: readRelease(answer) }
  } catch {
    return { kind: 'unknown' }
  }
}

/** What the gate says of a page: nothing, when it did not answer or the page is not there. */
export type PageStatus = { readonly isSignedOut: boolean; readonly release: string | null }

/** Requests a page with HEAD, which the gate records as a reading. Never throws. */
export async function askForPage(fetcher: typeof fetch, pathname: string): Promise<PageStatus> {
  try {
    const response = await fetcher(pathname, { ...request('HEAD'), redirect: 'follow', keepalive: true })
    const release = readReleaseTiming(response.headers.get('Server-Timing'))
    return { isSignedOut: response.status === 401, release }
  } catch {
    return { isSignedOut: false, release: null }
  }
}

/** Ends sessions at the gate; one that is already over counts as ended. Throws a SignOutError otherwise. */
export async function endSession(
  fetcher: typeof fetch,
  scope: SignOutScope | { readonly id: string },
): Promise<void> {
  const all = scope === 'everywhere' ? PATHS.sessions : PATHS.session
  const endpoint = typeof scope === 'string' ? all : `${PATHS.sessions}?id=${encodeURIComponent(scope.id)}`
  const response = await fetcher(endpoint, request('DELETE')).catch((cause: unknown) => {
    throw new SignOutError({ cause })
  })
  if (!response.ok && response.status !== 401 && response.status !== 404) throw new SignOutError()
}

/** How the gate is asked by this page, and by none of another site. */
export const request = (method: 'GET' | 'HEAD' | 'DELETE'): RequestInit => ({
  method,
  headers: { Accept: 'application/json' },
  cache: 'no-store',
  credentials: 'same-origin',
  redirect: 'error',
})
