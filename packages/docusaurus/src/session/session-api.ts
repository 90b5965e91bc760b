import { PATHS } from '@sekisho/contract/paths'
import { readReleaseTiming } from '@sekisho/contract/response-headers'
import {
  type Reader,
  readIsSignInConfigured,
  readReader,
  readRelease,
} from '@sekisho/contract/session-response'

/** The gate's response about the session. `unknown`: no response, which is no reason to sign out. */
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

/** The gate's report on a page: empty, when it did not respond or the page is missing. */
type PageStatus = {
  readonly isSignedOut: boolean
  readonly isMissing: boolean
  readonly release: string | null
}

/** Requests a page with HEAD, which the gate records as a reading. Never throws. */
export async function askForPage(fetcher: typeof fetch, pathname: string): Promise<PageStatus> {
  try {
    const response = await fetcher(pathname, { ...request('HEAD'), redirect: 'follow', keepalive: true })
    const release = readReleaseTiming(response.headers.get('Server-Timing'))
    return { isSignedOut: response.status === 401, isMissing: response.status === 404, release }
  } catch {
    return { isSignedOut: false, isMissing: false, release: null }
  }
}

/** Options of requests to the gate, unavailable to other sites. */
export const request = (method: 'GET' | 'HEAD' | 'DELETE'): RequestInit => ({
  method,
  headers: { Accept: 'application/json' },
  cache: 'no-store',
  credentials: 'same-origin',
  redirect: 'error',
})
