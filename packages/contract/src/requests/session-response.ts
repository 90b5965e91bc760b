/** The signed-in person, as far as a page shows them; also the content of the reader cookie, as base64url JSON. */
export interface Reader {
  readonly email: string
  readonly name: string | null
}

/** `GET /__gate/session`: who is signed in, and until when at the longest. */
export interface SessionResponse extends Reader {
  readonly expiresAtMs: number
  /** False while the identity configuration is invalid: sign-in and account revalidation are then impossible. */
  readonly isSignInConfigured: boolean
  /** The release being served; an open page of another one is told so. Null when there is none. */
  readonly release: string | null
}

/**
 * Reasons for the end of a session, as shown to its holder: idle; too old; ended by an operator; replaced in another browser; account
 * disabled or changed; account not revalidated; no longer admitted; too many sessions of one account.
 */
export const END_REASONS = [
  'idle',
  'absolute',
  'revoked',
  'elsewhere',
  'account',
  'unproven',
  'policy',
  'replaced',
] as const

export type EndReason = (typeof END_REASONS)[number]

/** Reads why a session ended out of the 401 to `GET /__gate/session`; null when it does not say. */
export function readEndReason(value: unknown): EndReason | null {
  const found = typeof value === 'object' && value !== null && 'reason' in value ? value.reason : null
  return END_REASONS.find((reason) => reason === found) ?? null
}

/** Reads a person out of JSON that came from the gate; null unless there is an email. */
export function readReader(value: unknown): Reader | null {
  if (typeof value !== 'object' || value === null || !('email' in value)) return null
  const { email } = value
  const name = 'name' in value ? value.name : null
  if (typeof email !== 'string' || email === '') return null
  return { email, name: typeof name === 'string' && name !== '' ? name : null }
}

/** Reads whether sign-in works at all, out of a session's answer; an older gate does not say, and then it counts as working. */
export function readIsSignInConfigured(value: unknown): boolean {
  const says = typeof value === 'object' && value !== null && 'isSignInConfigured' in value
  return !says || value.isSignInConfigured !== false
}

/** Reads which release is being served; null when an answer does not say. */
export function readRelease(value: unknown): string | null {
  const release = typeof value === 'object' && value !== null && 'release' in value ? value.release : null
  return typeof release === 'string' ? release : null
}
