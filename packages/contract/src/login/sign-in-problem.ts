/**
 * Causes of sign-ins that failed without a word of the provider on the account: on its side (documents, keys, tokens, userinfo), or on
 * ours (client settings that it refuses, a clock, session store and trail, the policy, a fault).
 */
export const PROVIDER_FAILURES = ['discovery', 'keys', 'token_endpoint', 'userinfo'] as const
export const SIGN_IN_FAILURES = [...PROVIDER_FAILURES, 'client', 'clock', 'store', 'policy', 'fault'] as const
export type SignInFailureCause = (typeof SIGN_IN_FAILURES)[number]

/**
 * Reasons a provider's sign-in opened no session: cancelled; expired or another browser; not admitted, unproven, of another company,
 * address missing or unverified; no account for silent sign-in; too many attempts; provider or portal failure.
 */
const SIGN_IN_PROBLEMS = [
  'cancelled',
  'expired',
  'refused',
  'rejected',
  'tenant',
  'no-email',
  'unverified-email',
  'silent',
  'too-many-requests',
  'identity-unavailable',
  'unavailable',
] as const
type SignInProblemCode = (typeof SIGN_IN_PROBLEMS)[number]

export interface SignInProblem {
  readonly code: SignInProblemCode
  /** The address of an account that is not admitted. */
  readonly email: string | null
}

/** The cookie that brings it, as base64url JSON; a page reads it once and removes it. */
export function signInProblemCookie(isHttps: boolean): string {
  return `${isHttps ? '__Host-' : ''}sekisho-sign-in-problem`
}

/** Reads it out of a page's cookies; null when there is none, or none of ours. */
export function readSignInProblem(cookies: string, isHttps: boolean): SignInProblem | null {
  const prefix = `${signInProblemCookie(isHttps)}=`
  const found = cookies.split('; ').find((pair) => pair.startsWith(prefix))
  try {
    const value: unknown = found === undefined ? null : JSON.parse(decode(found.slice(prefix.length)))
    if (typeof value !== 'object' || value === null || !('code' in value)) return null
    const code = SIGN_IN_PROBLEMS.find((known) => known === value.code)
    const email = 'email' in value && typeof value.email === 'string' ? value.email : null
    return code === undefined ? null : { code, email }
  } catch {
    return null
  }
}

function decode(base64url: string): string {
  const bytes = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
}
