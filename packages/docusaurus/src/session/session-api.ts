import { type Reader, readReader } from './session.ts'

const ENDPOINT = '/__gate/session'

/** What the gate says about the session. `unknown`: no gate answered, which is no reason to send anybody away. */
export type SessionAnswer =
  | { readonly kind: 'signed-in'; readonly reader: Reader }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unknown' }

/** The gate did not end the session: the reader is still signed in and has to be told so. */
export class SignOutError extends Error {
  readonly code = 'SIGN_OUT_FAILED'

  constructor(options?: ErrorOptions) {
    super('The gate did not end the session', options)
    this.name = 'SignOutError'
  }
}

/** Asks the gate who is signed in. Never throws. */
export async function askSession(fetcher: typeof fetch): Promise<SessionAnswer> {
  try {
    const response = await fetcher(ENDPOINT, request('GET'))
    if (response.status === 401) return { kind: 'signed-out' }
    const reader = response.status === 200 ? readReader(await response.json()) : null
    return reader === null ? { kind: 'unknown' } : { kind: 'signed-in', reader }
  } catch {
    return { kind: 'unknown' }
  }
}

/** Ends the session at the gate; one that is already over counts as ended. Throws a SignOutError otherwise. */
export async function endSession(fetcher: typeof fetch): Promise<void> {
  const response = await fetcher(ENDPOINT, request('DELETE')).catch((cause: unknown) => {
    throw new SignOutError({ cause })
  })
  if (!response.ok && response.status !== 401) throw new SignOutError()
}

const request = (method: 'GET' | 'DELETE'): RequestInit => ({
  method,
  headers: { Accept: 'application/json' },
  cache: 'no-store',
  credentials: 'same-origin',
  redirect: 'error',
})
