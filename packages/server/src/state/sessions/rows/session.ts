import type { EndReason } from '@sekisho/contract/session-response'

/** Identity of an account: an address may change hands, this does not. */
export interface Account {
  /** Issuer that vouches for it. */
  readonly issuer: string
  /** The issuer's stable id of the account. */
  readonly sub: string
}

/** The issuer's further statements on an account; renewed with each revalidation. */
export interface Vouched {
  /** The address is this account's, as far as a policy may believe it. */
  readonly address: boolean
  /** Groups and roles, as a policy names them. */
  readonly groups: readonly string[]
  /** False where the issuer did not tell of all groups: then of none. */
  readonly hasAllGroups: boolean
}

/** An account as its issuer vouches for it now. */
export interface Identity extends Account {
  readonly email: string
  readonly name: string | null
  /** The issuer's own session with this browser, which it can end; null where it says none. */
  readonly sid: string | null
  readonly vouched: Vouched
}

/** Lifetimes of sessions, and the interval of revalidation. */
export interface SessionLimits {
  readonly idleMs: number
  readonly absoluteMs: number
  readonly revalidationIntervalMs: number
  readonly revalidationGraceMs: number
}

/** One signed-in browser. */
export interface Session extends Identity {
  /** Public name of the session, for lists and logs; useless for signing in. */
  readonly id: string
  /** Browser and system by name, as in `Firefox / Windows`; empty when unknown. */
  readonly device: string
  /** Client address at its beginning. */
  readonly address: string
  readonly startedAtMs: number
  readonly lastSeenAtMs: number
  /** Time at which the identity service last vouched for the account. */
  readonly provenAtMs: number
  /** The account can be revalidated; if not, the session ends after `UNPROVABLE_MS`. */
  readonly isProvable: boolean
  /**
   * `standing`: no browser's. What an account is proven by while agents read for it; the browser session in which they were let in
   * hangs on it, and so do their grants. It ends when nothing does.
   */
  readonly kind?: 'standing'
}

/** Lifetime of a session whose account cannot be revalidated, because its issuer gave no refresh token. */
export const UNPROVABLE_MS = 3_600_000

/** Time for which the reason for a session's end is kept for its holder. */
export const KEEP_ENDS_MS = 7 * 24 * 3_600_000

/** Account and session, as a line of the audit trail names them: a subject means nothing without its issuer. */
export function whoOf({ email, issuer, sub, id }: Pick<Session, 'email' | 'issuer' | 'sub' | 'id'>) {
  return { email, issuer, sub, session: id }
}

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
  /**
   * The refresh token, sealed together with what the row says; an empty one where there is a parent, which is proven for both, and where the
   * issuer gave none.
   */
  readonly refresh: Uint8Array
  /** Key of the session that this one was handed over from, to a preview's host; it ends with that one. */
  readonly parent?: string
}
