import { PATHS } from '@sekisho/contract/routes'
import {
  type OwnSession,
  type Reader,
  readIsSignInConfigured,
  readOwnSessions,
  readReader,
} from '@sekisho/contract/session-answer'

/** Which sessions a sign-out ends: this browser's, or every one of the account. */
export type SignOutScope = 'here' | 'everywhere'

/** The gate's response about the session. `unknown`: no gate responded, which is no reason to sign anybody out. */
export type SessionStatus =
  | { readonly kind: 'signed-in'; readonly reader: Reader; readonly isSignInConfigured: boolean }
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
    return { kind: 'signed-in', reader, isSignInConfigured: readIsSignInConfigured(answer) }
  } catch {
    return { kind: 'unknown' }
  }
}

/** Asks the gate where the account is signed in; nothing when the gate does not say. Never throws. */
export async function listSessions(fetcher: typeof fetch): Promise<readonly OwnSession[]> {
  try {
    const response = await fetcher(PATHS.sessions, request('GET'))
    return response.status === 200 ? readOwnSessions(await response.json()) : []
  } catch {
    return []
  }
}

/** Requests a page with HEAD, which the gate records as a reading. Never throws. */
export async function askForPage(fetcher: typeof fetch, pathname: string): Promise<'signed-out' | 'unknown'> {
  try {
    const response = await fetcher(pathname, { ...request('HEAD'), redirect: 'follow', keepalive: true })
    return response.status === 401 ? 'signed-out' : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Ends sessions at the gate; one that is already over counts as ended. Throws a SignOutError otherwise. */
export async function endSession(fetcher: typeof fetch, scope: SignOutScope): Promise<void> {
  const endpoint = scope === 'here' ? PATHS.session : PATHS.sessions
  const response = await fetcher(endpoint, request('DELETE')).catch((cause: unknown) => {
    throw new SignOutError({ cause })
  })
  if (!response.ok && response.status !== 401) throw new SignOutError()
}

const request = (method: 'GET' | 'HEAD' | 'DELETE'): RequestInit => ({
  method,
  headers: { Accept: 'application/json' },
  cache: 'no-store',
  credentials: 'same-origin',
  redirect: 'error',
})
