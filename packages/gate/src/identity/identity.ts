import type { Identity } from '@sekisho/state/sessions'

/** The result of judging an ID token; an outage of the issuer is thrown instead. */
export type Verdict =
  | { readonly ok: true; readonly identity: Identity; readonly expiresAtMs: number }
  | { readonly ok: false; readonly reason: RejectionReason }

export type RejectionReason =
  | 'malformed'
  | 'signature'
  | 'expired'
  | 'claims'
  | 'stale'
  | 'provider'
  | 'unverified_email'

/** The result of asking again about an account that signed in before. */
export type Reproof =
  | { readonly kind: 'proven'; readonly identity: Identity; readonly refreshToken: string }
  /** Final: disabled, deleted, or its tokens were revoked. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** The service answered, but not about the account: this token is odd, or a key or clock does not fit. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** The service could not be asked; nothing is known. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** What the gate asks of an identity service. */
export interface IdentityService {
  /** Judges the ID token of somebody signing in now. Throws `UnavailableError` when the keys cannot be had. */
  verify(idToken: string): Promise<Verdict>
  reprove(refreshToken: string): Promise<Reproof>
}
