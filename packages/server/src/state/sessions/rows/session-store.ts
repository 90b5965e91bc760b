import type { EndReason } from '@sekisho/contract/session-response'
import type { GrantStore } from './grant-store.ts'
import type { Account, SessionEnd, SessionRow } from './session.ts'

/** An ID token that was exchanged for a session and must not be exchanged again. */
export interface SpentToken {
  readonly digest: string
  readonly expiresAtMs: number
}

/** `parent_ended`: there is no such session any more to hand over from. */
export type InsertResult = 'inserted' | 'replayed' | 'account_changed' | 'parent_ended'

/** A session ended by an operator, or once more after the database had lost its end; waiting to be recorded by a gate. */
export interface Revocation {
  readonly id: string
  readonly email: string
  /** Absent for an operator. */
  readonly by?: 'fail-over'
}

/** Sessions that an operator ends. */
export type RevocationFilter =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly everybody: true }

/** A revalidation and its predecessor: a concurrent one takes precedence. */
export interface ProofRow extends Pick<SessionRow, 'key' | 'provenAtMs' | 'refresh' | 'vouched'> {
  readonly previousProofAtMs: number
}

/** Owner of sessions and bound accounts: rows of other contexts are invalid here. */
export interface SessionContext {
  readonly issuer: string
  readonly projectId: string
  readonly origin: string
}

/** Told of keys whose rows have ended elsewhere; null when any row may have ended or changed. */
export type ChangeListener = (keys: readonly string[] | null) => void

/** So many rows at most are read or removed in one call, so that none takes long. */
export const MAX_ROWS = 500
/** So many places at most are read in one call: each of them costs a look at all sessions. */
export const MAX_PLACES = 10_000
/** Time within which dependants of an offline session must be written. */
export const MAKING_MS = 60_000
/** Longer than asking the identity service about one session may take. */
export const PROVING_MS = 20_000
/** A time server corrects a clock by less; a session that began later than this ahead is of another time, and left alone. */
export const MAX_CLOCK_STEP_MS = 300_000

/** Living sessions with their last uses, and the tokens that were exchanged for them. */
export interface SessionRows {
  find(key: string): Promise<SessionRow | null>
  /** All sessions of an account. */
  ofAccount(account: Account): Promise<readonly SessionRow[]>
  /** All that began in one session of the issuer's own. */
  ofIssuerSession(issuer: string, sid: string): Promise<readonly SessionRow[]>
  /** One transaction: spends the token, binds the address to its account, adds the session. */
  insert(row: SessionRow, spent: SpentToken): Promise<InsertResult>
  /** Never sets a last use back. */
  markSeen(rows: readonly Pick<SessionRow, 'key' | 'lastSeenAtMs'>[]): Promise<void>
  /** Sets times that are ahead of a clock that was set back: last uses to `nowMs`, proofs to `dueMs`. */
  followClock(nowMs: number, dueMs: number): Promise<void>
  count(): Promise<SessionCount>
  forgetSpent(beforeMs: number): Promise<void>
}

export interface SessionCount {
  readonly sessions: number
  /** Null without sessions. */
  readonly oldestProofAtMs: number | null
}

/** Revalidations of accounts by the identity service, and the gate that performs them. */
export interface SessionProofs {
  /** Writes a revalidation unless a concurrent one was written since. */
  markProven(rows: readonly ProofRow[]): Promise<void>
  /** Sessions with a refresh token that were proven by then at the latest, the oldest proof first, behind `after`; at most `MAX_ROWS`. */
  listDue(
    provenByMs: number,
    after: Pick<SessionRow, 'provenAtMs' | 'key'> | null,
  ): Promise<readonly SessionRow[]>
  /**
   * Tells if this gate alone revalidates sessions for the next `PROVING_MS`; repeated calls prolong it. Expires when a gate dies, so that
   * another takes over.
   */
  holdProving(): Promise<boolean>
}

/** Ends of sessions, with reasons. */
export interface SessionEnds {
  /** Removes sessions and those handed over from them, and keeps the reasons for holders of their tokens. */
  remove(ends: readonly SessionEnd[]): Promise<void>
  /**
   * Ends and returns expired sessions: begun (`absolute`), used (`idle`) or last revalidated without a refresh token (`unproven`) before
   * then. Also unused offline sessions; at most `MAX_ROWS`.
   */
  removeExpired(
    before: { readonly startedMs: number; readonly seenMs: number; readonly provenMs: number },
    atMs: number,
  ): Promise<readonly SessionRow[]>
  /** Reason for the end of a key's session; null when unknown or confidential. */
  findReason(key: string): Promise<EndReason | null>
  /** Forgets why sessions ended that did so before. */
  forgetReasons(beforeMs: number): Promise<void>
}

/** Changes by others to the same store. */
export interface SessionChanges {
  /** Maximum age of a row answered from memory. */
  readonly maxAgeMs: number
  /** True while changes elsewhere would be noticed; otherwise memory answers nothing. */
  hears(): boolean
  subscribe(listener: ChangeListener): void
  /** Looks for what others changed, and takes what operators revoked, `MAX_ROWS` at most. */
  takeRevocations(): Promise<readonly Revocation[]>
}

/** Position of a session in the order of all. */
export type SessionPlace = Pick<SessionRow, 'email' | 'startedAtMs' | 'key'>
/** Before every session. */
export const FIRST_PLACE: SessionPlace = { email: '', startedAtMs: 0, key: '' }

/** Operations of operators: on sessions of one context, or of all where the store was opened without one. */
export interface SessionOperators {
  /** The page behind the session of that key, in the order of keys; at most `MAX_ROWS`. */
  list(afterKey?: string): Promise<readonly SessionRow[]>
  /** Places of the sessions behind that place, by address and beginning; at most `MAX_PLACES`. */
  listPlaces(after?: SessionPlace): Promise<readonly SessionPlace[]>
  /** Remaining rows of these keys, `MAX_ROWS` at most, in their order. */
  pick(keys: readonly string[]): Promise<readonly SessionRow[]>
  /** Ends and returns those that the filter names, `MAX_ROWS` at most: called again until there are none. */
  revoke(filter: RevocationFilter, atMs: number): Promise<readonly Revocation[]>
  /** Lets another account take over an address; returns whether one was bound. */
  unbind(email: string): Promise<boolean>
}

/**
 * Sessions, spent tokens and bound accounts of one context. Every method fails when the store cannot be asked; callers decide
 * what that means.
 */
export interface SessionStore {
  readonly sessions: SessionRows
  readonly proofs: SessionProofs
  readonly ends: SessionEnds
  readonly changes: SessionChanges
  readonly operators: SessionOperators
  readonly grants: GrantStore
  close(): Promise<void>
}
