import { readProblemCode } from '../sign-in/problem-code.ts'
import type { AdmissionFailure } from '../sign-in/state.ts'

/** The gate's decision on a signed-in account. */
export type Admission =
  | { readonly kind: 'admitted' }
  /** The account is real, but not on the list. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: AdmissionFailure; readonly retryAfterSeconds: number | null }

export interface SessionTokens {
  readonly idToken: string
  readonly refreshToken: string
}

const REASON_OF_CODE: Readonly<Record<string, AdmissionFailure>> = {
  rejected: 'rejected',
  too_many_requests: 'too-many-requests',
  identity_unavailable: 'identity-unavailable',
  unavailable: 'unavailable',
  not_configured: 'not-configured',
}

/** Longer than a gate on a slow disk holds a sign-in: fifteen seconds for the session, fifteen for its line. */
const TIMEOUT_MS = 35_000

/** Sends the tokens to the gate once; every outcome is a value. */
export async function openSession(
  fetcher: typeof fetch,
  endpoint: string,
  tokens: SessionTokens,
): Promise<Admission> {
  try {
    const response = await fetcher(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(tokens),
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.status !== 204) return await readRefusal(response)
    const check = await fetcher(endpoint, { credentials: 'same-origin', cache: 'no-store' })
    return check.status === 401 ? failed('cookie-lost') : { kind: 'admitted' }
  } catch {
    return failed('unreachable')
  }
}

function failed(reason: AdmissionFailure): Admission {
  return { kind: 'failed', reason, retryAfterSeconds: null }
}

async function readRefusal(response: Response): Promise<Admission> {
  const code = await readProblemCode(response)
  if (code === 'not_admitted') return { kind: 'refused' }
  const reason = REASON_OF_CODE[code] ?? (response.status >= 500 ? 'unavailable' : 'unexpected')
  return { kind: 'failed', reason, retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')) }
}

/** Only the delta-seconds form (RFC 9110 section 10.2.3) is used by the gate. */
function readRetryAfter(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : null
}
