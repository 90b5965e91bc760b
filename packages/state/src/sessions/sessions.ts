import { randomBytes } from 'node:crypto'
import type { EndReason } from '@sekisho/contract/session-answer'
import { UnavailableError } from '../unavailable-error.ts'
import { type Held, holdSessions, SEEN_STEP_MS } from './held-sessions.ts'
import type { Seal } from './seal.ts'
import type { Identity, Session, SessionEnd, SessionLimits, SessionRow } from './session.ts'
import { type SessionKey, sessionKeyOf } from './session-key.ts'
import { holdProofs } from './session-proofs.ts'
import type { InsertResult, Revocation, SessionStore, SpentToken } from './session-store.ts'

/** A person signs in from a few browsers; more live sessions than this end the one unused longest. */
const MAX_SESSIONS_PER_ACCOUNT = 25
/** A time server corrects a clock by less; a session that began later than this ahead is of another time. */
const MAX_CLOCK_STEP_MS = 300_000
/** The store removes what has expired this much later, because last uses reach it late. */
const SEEN_LAG_MS = 2 * SEEN_STEP_MS

export interface SignInProof {
  readonly identity: Identity
  readonly refreshToken: string
  readonly spent: SpentToken
  /** Browser and system by name, and where from: what readers know their sessions by. */
  readonly device: string
  readonly address: string
}

/** What a session on a preview's host is made of: one of the main origin, and the ticket that names it. */
export interface HandOver {
  readonly parent: SessionKey
  /** By which the new session is known: of no use on another host. */
  readonly keyOf: (token: string) => SessionKey
  readonly spent: SpentToken
  readonly device: string
  readonly address: string
}

export type StartResult =
  | { readonly kind: 'started'; readonly token: string; readonly session: Session }
  | { readonly kind: Exclude<InsertResult, 'inserted'> }

export type EndScope = 'one' | 'account'

/** Sessions of a store, and in memory those in use, for as long as the store vouches for them. */
export interface Sessions {
  start(proof: SignInProof): Promise<StartResult>
  /** Starts a session that lives as long as its parent does, at most, and ends with it. */
  handOver(ticket: HandOver): Promise<StartResult>
  /**
   * Answers at once from memory where it may, else asks the store. `touch` counts as use. Fails with `UnavailableError`
   * when the session can no longer be vouched for.
   */
  find(key: SessionKey, options: { readonly touch: boolean }): Session | null | Promise<Session | null>
  /**
   * Ends the session, or all of its account, and resolves to those that ended; never fails for what `find` refuses. Fails
   * while the store refuses, also when asked again, because the session would be back after a restart.
   */
  end(key: string, scope: EndScope, reason: EndReason): Promise<readonly Session[]>
  /** The same for whoever holds its token and needs no reason. */
  signOut(key: SessionKey, scope: EndScope): Promise<readonly Session[]>
  /** Why the session of a token ended, while that is kept: seven days. Null for one that never was, too. */
  findEndReason(key: SessionKey): Promise<EndReason | null>
  /** All live sessions of the account, last used first. */
  ofSameAccount(session: Session): Promise<readonly SessionRow[]>
  /** When the session ends if it is not used any more. */
  expiresAtMs(session: Session): number
  /** Sessions whose account must be proven again by now, the oldest proof first. */
  listDue(): Promise<readonly SessionRow[]>
  /** Whether this gate, of all that share the store, proves sessions now. */
  holdProving(): Promise<boolean>
  refreshTokenOf(row: SessionRow): string | null
  /** Counts here at once; written by the next `synchronise`, many in one transaction. */
  markProven(row: SessionRow, refreshToken: string): void
  /** When the account proven longest ago was proven, as of the last `tidy`; null without sessions. */
  oldestProofAtMs(): number | null
  /** Writes last uses and proofs and applies what others did; resolves to what operators revoked. */
  synchronise(): Promise<readonly Revocation[]>
  /** Removes what has expired, and counts what is left. */
  tidy(): Promise<readonly Session[]>
  /** As of the last `tidy`. */
  readonly size: number
}

export interface SessionsOptions {
  readonly store: SessionStore
  readonly seal: Seal
  readonly limits: SessionLimits
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
}

/** What a session begins with beside whose it is: proven by a refresh token, or handed over from a parent. */
type Beginning = Omit<SignInProof, 'identity' | 'refreshToken'> & {
  readonly keyOf: (token: string) => SessionKey
  readonly provenAtMs: number
  readonly refreshToken?: string
  readonly parent?: SessionKey
}

export function createSessions(options: SessionsOptions): Sessions {
  const { store, seal, limits, now, elapsed = () => performance.now() } = options
  const ended = new Map<string, { readonly session: SessionRow; readonly end: SessionEnd }>() // by key: over, but the store has not taken it yet
  const proofs = holdProofs(store)
  const held = holdSessions({
    ...{ store, now, elapsed },
    isOver: (key) => ended.has(key),
    proofOf: proofs.find,
  })
  let lastMs = Number.POSITIVE_INFINITY // so that the first look follows the clock
  let counted: Awaited<ReturnType<SessionStore['count']>> = { sessions: 0, oldestProofAtMs: null }

  function judge(session: Held, touch: boolean): Session | null {
    const atMs = now()
    if (atMs >= expiresAtMs(session) || isOfAnotherTime(session, atMs)) return null
    const isOwnProof = session.parent === undefined
    if (isOwnProof && atMs > session.provenAtMs + limits.reproofIntervalMs + limits.reproofGraceMs) {
      throw new UnavailableError('identity_unavailable', 'the account could not be proven again in time')
    }
    if (touch) held.touch(session, atMs)
    return session
  }
  /** A session that was handed over is as good as the one it is from, which its own use does not keep alive. */
  function vouch(session: Held, touch: boolean): Session | null | Promise<Session | null> {
    if (session.parent === undefined) return judge(session, touch)
    const parent = find(session.parent, false)
    if (parent instanceof Promise)
      return parent.then((from) => (from === null ? null : judge(session, touch)))
    return parent === null ? null : judge(session, touch)
  }
  function find(key: string, touch: boolean): Session | null | Promise<Session | null> {
    const known = held.findTrusted(key)
    if (known !== null) return vouch(known, touch)
    if (ended.has(key)) return null
    return held.load(key).then((session) => (session === null ? null : vouch(session, touch)))
  }
  function expiresAtMs(session: Session): number {
    return Math.min(session.startedAtMs + limits.absoluteMs, session.lastSeenAtMs + limits.idleMs)
  }
  function isOfAnotherTime({ startedAtMs }: Session, atMs: number): boolean {
    return atMs < startedAtMs - MAX_CLOCK_STEP_MS
  }

  /** Memory first: if the store refuses, the session is over for this process, and the store is asked again later. */
  function forgetAndEnd(
    sessions: readonly SessionRow[],
    reasonOf: (session: SessionRow) => EndReason | null,
  ): void {
    for (const session of sessions) {
      const { key } = session
      held.forget(key)
      ended.set(key, { session, end: { key, reason: reasonOf(session), endedAtMs: now() } })
    }
    held.distrust(sessions.map(({ key }) => key))
  }
  async function writeEnded(): Promise<void> {
    if (ended.size === 0) return
    const ends = [...ended.values()].map(({ end }) => end)
    await store.remove(ends)
    for (const { key } of ends) ended.delete(key)
  }
  async function end(
    key: string,
    scope: EndScope,
    reasonOf: (session: SessionRow) => EndReason | null,
  ): Promise<readonly Session[]> {
    const known = held.get(key) ?? ended.get(key)?.session ?? (await store.find(key))
    if (known === null) return []
    forgetAndEnd([known], reasonOf)
    const others = scope === 'one' ? [] : await ofAccount(known.sub)
    forgetAndEnd(others, reasonOf)
    await writeEnded()
    return [known, ...others]
  }
  /** With the last uses this process knows of, the latest first. */
  async function ofAccount(sub: string): Promise<readonly SessionRow[]> {
    const rows = (await store.ofAccount(sub)).filter(({ key }) => !ended.has(key))
    const seen = ({ key, lastSeenAtMs }: SessionRow) =>
      Math.max(lastSeenAtMs, held.get(key)?.lastSeenAtMs ?? 0)
    return rows
      .map((row) => ({ ...row, lastSeenAtMs: seen(row) }))
      .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs)
  }
  /** A clock that was set back makes no session live longer: idle limit and grace count from the new time. */
  async function followClock(): Promise<void> {
    const atMs = now()
    const dueMs = atMs - limits.reproofIntervalMs
    if (atMs < lastMs) {
      for (const session of held.all()) {
        if (isOfAnotherTime(session, atMs)) continue
        session.lastSeenAtMs = Math.min(session.lastSeenAtMs, atMs)
        session.isOutdated = true
      }
      proofs.setBack(atMs, dueMs)
      await store.followClock(atMs, dueMs)
    }
    lastMs = atMs
  }
  async function begin(identity: Identity, beginning: Beginning): Promise<StartResult> {
    const { keyOf, spent, device, address, provenAtMs, refreshToken, parent } = beginning
    const token = randomBytes(32).toString('base64url')
    const key = keyOf(token)
    const atMs = now()
    const times = { startedAtMs: atMs, lastSeenAtMs: atMs, provenAtMs }
    const id = randomBytes(9).toString('base64url')
    const refresh = refreshToken === undefined ? new Uint8Array() : seal.close(refreshToken, key)
    const from = parent === undefined ? {} : { parent }
    const row: SessionRow = { key, id, ...identity, device, address, ...times, refresh, ...from }
    const readAtMs = elapsed()
    const kind = await store.insert(row, spent)
    if (kind !== 'inserted') return { kind }
    held.hold(row, readAtMs)
    // Counted apart, so that many previews never end a session that somebody signed in to.
    const alike = (await ofAccount(row.sub)).filter(
      (one) => (one.parent === undefined) === (parent === undefined),
    )
    forgetAndEnd(alike.slice(MAX_SESSIONS_PER_ACCOUNT), () => 'replaced')
    await writeEnded()
    return { kind: 'started', token, session: row }
  }

  return {
    start: ({ refreshToken, identity, ...proof }) =>
      begin(identity, { ...proof, keyOf: sessionKeyOf, provenAtMs: now(), refreshToken }),

    async handOver({ parent, keyOf, spent, device, address }) {
      const from = await find(parent, false)
      const row = from === null ? null : await store.find(parent)
      if (row === null || row.parent !== undefined) return { kind: 'parent_ended' }
      const { sub, email, name, provenAtMs } = row
      return begin({ sub, email, name }, { keyOf, spent, device, address, provenAtMs, parent })
    },

    find: (key, { touch }) => find(key, touch),
    end: (key, scope, reason) => end(key, scope, () => reason),
    signOut: (key, scope) => end(key, scope, (session) => (session.key === key ? null : 'elsewhere')),

    async findEndReason(key) {
      const unwritten = ended.get(key)
      if (unwritten !== undefined) return unwritten.end.reason
      const session = held.get(key) ?? (await store.find(key))
      if (session === null) return store.findEndReason(key)
      if (now() < expiresAtMs(session)) return null
      return now() >= session.startedAtMs + limits.absoluteMs ? 'absolute' : 'idle'
    },

    expiresAtMs,
    ofSameAccount: ({ sub }) => ofAccount(sub),
    holdProving: () => store.holdProving(),

    async listDue() {
      await followClock()
      const provenByMs = now() - limits.reproofIntervalMs * 0.8 // a little before the interval is over
      return (await proofs.listDue(provenByMs)).filter(({ key }) => !ended.has(key))
    },

    refreshTokenOf: ({ key, refresh }) => seal.open(refresh, key),

    markProven({ key, provenAtMs }, refreshToken) {
      if (ended.has(key)) return // signed out while the service was asked
      const proof = { provenAtMs: now(), refresh: seal.close(refreshToken, key) }
      proofs.add({ key, previousProofAtMs: provenAtMs, ...proof })
      const known = held.get(key)
      if (known !== undefined) Object.assign(known, proof)
    },

    oldestProofAtMs: () => counted.oldestProofAtMs,

    async synchronise() {
      const revoked = await store.takeRevocations()
      await followClock()
      await writeEnded()
      await held.writeSeen()
      await proofs.write()
      held.sweep()
      return revoked
    },

    async tidy() {
      await followClock()
      await held.writeSeen()
      const atMs = now()
      const expired = await store.removeExpired(
        {
          startedMs: atMs - limits.absoluteMs,
          seenMs: atMs - limits.idleMs - SEEN_LAG_MS,
        },
        atMs,
      )
      for (const { key } of expired) held.forget(key)
      counted = await store.count()
      return expired
    },

    get size() {
      return counted.sessions
    },
  }
}
