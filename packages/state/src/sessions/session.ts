import type { EndReason } from '@sekisho/contract/session-answer'

/** A Google account as the identity service vouches for it. */
export interface Identity {
  /** The service's stable id of the account; an address may change hands, this does not. */
  readonly sub: string
  readonly email: string
  readonly name: string | null
}

/** How long sessions live, and how often their accounts are proven. */
export interface SessionLimits {
  readonly idleMs: number
  readonly absoluteMs: number
  readonly reproofIntervalMs: number
  readonly reproofGraceMs: number
}

/** One signed-in browser. */
export interface Session {
  /** Public name of the session, for lists and logs; useless for signing in. */
  readonly id: string
  readonly sub: string
  readonly email: string
  readonly name: string | null
  /** Browser and system by name, as in `Firefox / Windows`; empty when unknown. */
  readonly device: string
  /** Where it was opened from. */
  readonly address: string
  readonly startedAtMs: number
  readonly lastSeenAtMs: number
  /** When the identity service last vouched for the account. */
  readonly provenAtMs: number
}

/** How long the holder of a session that ended can be told why. */
export const KEEP_ENDS_MS = 7 * 24 * 3_600_000

/** A session that is over, and what its holder may be told of it; null for one that its holder ended. */
export interface SessionEnd {
  readonly key: string
  readonly reason: EndReason | null
  readonly endedAtMs: number
}

/** A session as stored: reached only through the digest of its token. */
export interface SessionRow extends Session {
  /** base64url SHA-256 of the token. */
  readonly key: string
  /** The refresh token, sealed; empty where there is a parent, which is proven for both. */
  readonly refresh: Uint8Array
  /** Key of the session that this one was handed over from, to a preview's host; it ends with that one. */
  readonly parent?: string
}
