import { randomBytes } from 'node:crypto'
import type { EndReason } from '@sekisho/contract/session-answer'
import type { SessionLimits } from '../config/read-config.ts'
import { UnavailableError } from '../http/boundary.ts'
import type { Identity } from '../identity/identity.ts'
import type { Seal } from './seal.ts'
import type { Session, SessionEnd, SessionRow } from './session.ts'
import { type SessionKey, sessionKeyOf } from './session-key.ts'
import {
  type InsertResult,
  type Revocation,
  type SessionStore,
  type SpentToken,
  StoreReplacedError,
} from './session-store.ts'

/** What a session token looks like: 256 random bits in base64url. */
export const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** A person signs in from a few browsers; more live sessions than this end the one unused longest. */
const MAX_SESSIONS_PER_ACCOUNT = 25
/** How long revocations by another process may stay unseen before nobody is served. */
const MAX_BLIND_MS = 30_000
/** A time server corrects a clock by less; a session that began later than this ahead is of another time. */
const MAX_CLOCK_STEP_MS = 300_000

export interface SignInProof {
  readonly identity: Identity
  readonly refreshToken: string
  readonly spent: SpentToken
  /** Browser and system by name, and where from: what readers know their sessions by. */
  readonly device: string
  readonly address: string
}

export type StartResult =
  | { readonly kind: 'started'; readonly token: string; readonly session: Session }
  | { readonly kind: Exclude<InsertResult, 'inserted'> }

export type EndScope = 'one' | 'account'

/** Live sessions in memory, written through to the store; finding one reads no disk. */
export interface Sessions {
  start(proof: SignInProof): StartResult
  /** `touch` counts as use. Throws `UnavailableError` when the session can no longer be vouched for. */
  find(key: SessionKey, options: { readonly touch: boolean }): Session | null
  /** Ends one session, or all of its account; returns those that ended. */
  end(session: Session, scope: EndScope, reason: EndReason): readonly Session[]
  /**
   * The same for whoever holds its token; never fails for what `find` refuses, so that signing out always works. Throws
   * while the disk refuses, also when asked again, because the session would be back after a restart.
   */
  endByKey(key: SessionKey, scope: EndScope): readonly Session[]
  /** Why the session of a token ended, while that is kept: seven days. Null for one that never was, too. */
  findEndReason(key: SessionKey): EndReason | null
  /** All live sessions of the account, last used first. */
  ofSameAccount(session: Session): readonly Session[]
  /** When the session ends if it is not used any more. */
  expiresAtMs(session: Session): number
  /** Sessions whose account must be proven again by now, the oldest proof first. */
  listDue(): readonly Session[]
  refreshTokenOf(session: Session): string | null
  /** Counts at once; written by the next `synchronise`, many in one transaction. */
  markProven(session: Session, refreshToken: string): void
  /** When the account proven longest ago was proven; null without sessions. */
  oldestProofAtMs(): number | null
  /** Writes last uses and proofs, drops what has expired and applies what other processes did. */
  synchronise(): { readonly expired: readonly Session[]; readonly revoked: readonly Revocation[] }
  readonly size: number
}

export interface SessionsOptions {
  readonly store: SessionStore
  readonly seal: Seal
  readonly limits: SessionLimits
  readonly now: () => number
}

type Live = { -readonly [Key in keyof SessionRow]: SessionRow[Key] } & { seenWrittenAtMs: number }

export function createSessions({ store, seal, limits, now }: SessionsOptions): Sessions {
  const live = new Map<string, Live>() // by key
  const byId = new Map<string, Live>()
  const ended = new Map<string, { readonly session: Live; readonly end: SessionEnd }>() // by key: over, but the disk has not taken it yet
  const proven = new Set<Live>() // in memory, not on disk: after a crash they are proven once more
  let blindSinceMs: number | null = null
  let isBehind = false
  store.readAll().forEach(add)

  function add(row: SessionRow): void {
    const session = { ...row, seenWrittenAtMs: row.lastSeenAtMs }
    live.set(row.key, session)
    byId.set(row.id, session)
  }
  function drop(session: Live): void {
    proven.delete(session)
    live.delete(session.key)
    byId.delete(session.id)
  }
  /** Memory first: if the disk refuses, the session is over for this process, and the disk is asked again later. */
  function remove(
    sessions: readonly Live[],
    reasonOf: (session: Live) => EndReason | null,
  ): readonly Session[] {
    for (const session of sessions) {
      drop(session)
      const end = { key: session.key, reason: reasonOf(session), endedAtMs: now() }
      ended.set(session.key, { session, end })
    }
    writeEnded()
    return sessions
  }
  function writeEnded(): void {
    if (ended.size === 0) return
    store.remove([...ended.values()].map(({ end }) => end))
    ended.clear()
  }
  function ofAccount(sub: string): Live[] {
    return [...live.values()].filter((session) => session.sub === sub)
  }
  function expiresAtMs(session: Session): number {
    return Math.min(session.startedAtMs + limits.absoluteMs, session.lastSeenAtMs + limits.idleMs)
  }
  function isOfAnotherTime({ startedAtMs }: Session, atMs: number): boolean {
    return atMs < startedAtMs - MAX_CLOCK_STEP_MS
  }
  /** A little before the interval is over; and at once if the clock was set back behind the last proof. */
  function isDue({ provenAtMs }: Session): boolean {
    return now() < provenAtMs || now() >= provenAtMs + limits.reproofIntervalMs * 0.8
  }
  function expiryReason(session: Session): EndReason {
    return now() >= session.startedAtMs + limits.absoluteMs ? 'absolute' : 'idle'
  }
  function end(
    known: Live | undefined,
    scope: EndScope,
    reasonOf: (session: Live) => EndReason | null,
  ): readonly Session[] {
    if (known === undefined) return []
    return remove(scope === 'account' ? [...new Set([known, ...ofAccount(known.sub)])] : [known], reasonOf)
  }

  /** Applies what other processes did; since when that has failed is what `find` goes by. */
  function takeInOthers(): readonly Revocation[] {
    try {
      readChanges()
      const revoked = store.takeRevocations()
      blindSinceMs = null
      return revoked
    } catch (error) {
      // Of another store nothing is known at all; of one that cannot be read, what it held a moment ago.
      if (error instanceof StoreReplacedError) blindSinceMs = Number.NEGATIVE_INFINITY
      else blindSinceMs ??= now()
      throw error
    }
  }
  /** A change that could not be read stays to be read: a revocation must not get lost with a failing disk. */
  function readChanges(): void {
    isBehind = store.hasChanged() || isBehind
    if (!isBehind) return
    const rows = new Map(store.readAll().map((row) => [row.key, row]))
    isBehind = false
    for (const session of live.values()) if (!rows.has(session.key)) drop(session)
    for (const row of rows.values()) {
      const known = live.get(row.key)
      if (known !== undefined) known.lastSeenAtMs = Math.max(known.lastSeenAtMs, row.lastSeenAtMs)
      else if (!ended.has(row.key)) add(row)
    }
  }
  /** A clock that was set back makes no session live longer: idle limit and grace count from the new time. */
  function followClock(): void {
    const atMs = now()
    for (const session of live.values()) {
      if (isOfAnotherTime(session, atMs)) continue
      session.lastSeenAtMs = Math.min(session.lastSeenAtMs, atMs)
      if (session.provenAtMs > atMs) session.provenAtMs = atMs - limits.reproofIntervalMs
    }
  }
  function writeSeen(): void {
    const used = [...live.values()].filter(
      (session) => session.lastSeenAtMs - session.seenWrittenAtMs > 10_000,
    )
    if (used.length === 0) return
    store.markSeen(used)
    for (const session of used) session.seenWrittenAtMs = session.lastSeenAtMs
  }
  function writeProven(): void {
    if (proven.size === 0) return
    store.markProven([...proven])
    proven.clear()
  }

  return {
    start({ identity, refreshToken, spent, device, address }) {
      const token = randomBytes(32).toString('base64url')
      const key = sessionKeyOf(token)
      const atMs = now()
      const times = { startedAtMs: atMs, lastSeenAtMs: atMs, provenAtMs: atMs }
      const id = randomBytes(9).toString('base64url')
      const row = { key, id, ...identity, device, address, ...times, refresh: seal.close(refreshToken, key) }
      const kind = store.insert(row, spent)
      if (kind !== 'inserted') return { kind }
      add(row)
      const oldestFirst = ofAccount(row.sub).sort((a, b) => a.lastSeenAtMs - b.lastSeenAtMs)
      remove(oldestFirst.slice(0, -MAX_SESSIONS_PER_ACCOUNT), () => 'replaced')
      return { kind: 'started', token, session: row }
    },

    find(key, { touch }) {
      const session = live.get(key)
      if (session === undefined) return null
      const atMs = now()
      if (atMs >= expiresAtMs(session) || isOfAnotherTime(session, atMs)) return null
      if (blindSinceMs !== null && atMs > blindSinceMs + MAX_BLIND_MS) {
        throw new UnavailableError('unavailable', 'the session store cannot be read')
      }
      if (atMs > session.provenAtMs + limits.reproofIntervalMs + limits.reproofGraceMs) {
        throw new UnavailableError('identity_unavailable', 'the account could not be proven again in time')
      }
      if (touch) session.lastSeenAtMs = atMs
      return session
    },

    end: ({ id }, scope, reason) => end(byId.get(id), scope, () => reason),
    endByKey: (key, scope) =>
      end(live.get(key) ?? ended.get(key)?.session, scope, (one) => (one.key === key ? null : 'elsewhere')),
    findEndReason(key) {
      const session = live.get(key)
      if (session !== undefined) return now() >= expiresAtMs(session) ? expiryReason(session) : null
      const unwritten = ended.get(key)
      return unwritten === undefined ? store.findEndReason(key) : unwritten.end.reason
    },
    expiresAtMs,
    ofSameAccount: ({ sub }) => ofAccount(sub).sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs),

    listDue: () => [...live.values()].filter(isDue).sort((a, b) => a.provenAtMs - b.provenAtMs),

    refreshTokenOf({ id }) {
      const known = byId.get(id)
      return known === undefined ? null : seal.open(known.refresh, known.key)
    },

    markProven({ id }, refreshToken) {
      const known = byId.get(id)
      if (known === undefined) return // signed out while the service was asked
      known.provenAtMs = now()
      known.refresh = seal.close(refreshToken, known.key)
      proven.add(known)
    },

    oldestProofAtMs: () => {
      let oldest: number | null = null
      for (const { provenAtMs } of live.values()) oldest = Math.min(oldest ?? provenAtMs, provenAtMs)
      return oldest
    },

    synchronise() {
      const revoked = takeInOthers()
      followClock()
      writeSeen()
      writeProven()
      return {
        expired: remove(
          [...live.values()].filter((session) => now() >= expiresAtMs(session)),
          expiryReason,
        ),
        revoked,
      }
    },

    get size() {
      return live.size
    },
  }
}
