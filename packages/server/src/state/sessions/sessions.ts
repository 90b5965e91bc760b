import type { EndReason } from '@sekisho/contract/session-response'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import { holdSessions, SEEN_STEP_MS } from './held/held-sessions.ts'
import { holdEnds } from './held/unwritten-ends.ts'
import { type DuePage, holdProofs } from './held/unwritten-proofs.ts'
import { onlyGenuine, openRow, sealRow } from './rows/genuine-rows.ts'
import type { Seal } from './rows/seal.ts'
import {
  type Account,
  type Identity,
  type Session,
  type SessionLimits,
  type SessionRow,
  UNPROVABLE_MS,
} from './rows/session.ts'
import type { SessionKey } from './rows/session-key.ts'
import { MAX_ROWS, type Revocation, type SessionCount, type SessionStore } from './rows/session-store.ts'
import { createEnding, type EndScope, type IssuerEnd } from './session-ending.ts'
import { createFinder } from './session-finder.ts'
import { createRules } from './session-rules.ts'
import { createStart, type SessionStart } from './session-start.ts'

/** The store removes what has expired this much later, because last uses reach it late. */
const SEEN_LAG_MS = 2 * SEEN_STEP_MS

/** Sessions of a store, and in memory those in use, for as long as the store vouches for them. */
export interface Sessions extends SessionStart {
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
  /** The same for a token's holder without a reason; the token's own session comes first. */
  signOut(key: SessionKey, scope: EndScope): Promise<readonly SessionRow[]>
  /** Reason for the end of a token's session, kept for seven days. Null for unknown tokens too. */
  findEndReason(key: SessionKey): Promise<EndReason | null>
  /** All live sessions of the account, last used first. */
  ofSameAccount(account: Session): Promise<readonly SessionRow[]>
  /** The same of any account. */
  ofAccount(account: Account): Promise<readonly SessionRow[]>
  /** Ends what an issuer says is over: sessions of one account, or of one session of its own. */
  endOf(issuer: string, ended: IssuerEnd): Promise<readonly Session[]>
  /** Time at which the session ends without further use. */
  expiresAtMs(session: Session): number
  /** Sessions whose account must be proven again by now, the oldest proof first; a page of them at a time. */
  listDue(after?: DuePage['next']): Promise<DuePage>
  /** Tells if this gate, of all that share the store, revalidates sessions now. */
  holdProving(): Promise<boolean>
  refreshTokenOf(row: SessionRow): string | null
  /** Counts here at once, with what the issuer says of the account now; written by the next `synchronise`, many in one transaction. */
  markProven(row: SessionRow, refreshToken: string, identity: Pick<Identity, 'vouched'>): void
  /** Time of the oldest revalidation, as of the last `tidy`; null without sessions. */
  oldestProofAtMs(): number | null
  /** Writes last uses and proofs and applies what others did; resolves to what operators revoked. */
  synchronise(): Promise<readonly Revocation[]>
  /** Removes what has expired, and counts what is left. */
  tidy(): Promise<readonly Session[]>
  /** As of the last `tidy`. */
  readonly size: number
}

interface SessionsOptions {
  readonly store: SessionStore
  readonly seal: Seal
  readonly limits: SessionLimits
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
  /** True while this process catches up after a stall: no session is trusted then. */
  readonly isBehind?: () => boolean
}

export function createSessions(options: SessionsOptions): Sessions {
  const { seal, limits, now, elapsed = () => performance.now(), isBehind = () => false } = options
  const store = { ...options.store, sessions: onlyGenuine(options.store.sessions, seal, now) }
  const ends = holdEnds(store.ends, now)
  store.changes.subscribe((keys) => ends.note(keys ?? []))
  const proofs = holdProofs(store.proofs)
  const held = holdSessions({ store, now, elapsed, isOver: ends.has, proofOf: proofs.find })
  const rules = createRules(limits, now)
  const finder = createFinder({ held, ends, rules, now })
  const ending = createEnding({ store, held, ends, rules, limits, now })
  const start = createStart({ store, seal, held, finder, ending, now, elapsed })
  let counted: SessionCount = { sessions: 0, oldestProofAtMs: null }
  let lastMs = Number.POSITIVE_INFINITY // so that the first look follows the clock

  /** A clock that was set back makes no session live longer: idle limit and grace count from the new time. */
  async function followClock(): Promise<void> {
    const atMs = now()
    if (atMs < lastMs) {
      const dueMs = atMs - limits.revalidationIntervalMs
      held.setBack(atMs, rules.isOfAnotherTime)
      proofs.setBack(atMs, dueMs)
      await store.sessions.followClock(atMs, dueMs)
    }
    lastMs = atMs
  }

  return {
    ...start,
    async createOfflineSession(key) {
      await proofs.write() // a refresh token that was renewed meanwhile is the one to go on with
      return start.createOfflineSession(key)
    },
    find(key, { touch }) {
      if (isBehind()) throw new UnavailableError('unavailable', 'this process was held up until a moment ago')
      return finder.find(key, touch)
    },
    end: (key, scope, reason) => ending.end(key, scope, () => reason),
    signOut: (key, scope) => ending.end(key, scope, (session) => (session.key === key ? null : 'elsewhere')),
    findEndReason: ending.findReason,
    expiresAtMs: rules.expiresAtMs,
    endOf: ending.endOf,
    ofSameAccount: ending.ofAccount,
    ofAccount: ending.ofAccount,
    holdProving: () => store.proofs.holdProving(),
    async listDue(after = null) {
      await followClock()
      const { due, next } = await proofs.listDue(rules.dueMs(), after)
      return { due: due.filter(({ key, id }) => !ends.has(key) && !ends.has(id)), next }
    },
    refreshTokenOf: (row) => openRow(seal, row, now()) || null,
    markProven(row, refreshToken, { vouched }) {
      const { key, provenAtMs } = row
      if (ends.has(key)) return // signed out while the service was asked
      const atMs = now()
      const refresh = sealRow(seal, { ...row, vouched, provenAtMs: atMs }, refreshToken)
      const proof = { provenAtMs: atMs, refresh, vouched }
      proofs.add({ key, previousProofAtMs: provenAtMs, ...proof })
      const known = held.get(key)
      if (known !== undefined) Object.assign(known, proof)
    },
    oldestProofAtMs: () => counted.oldestProofAtMs,
    async synchronise() {
      const revoked = await inPages(store.changes.takeRevocations)
      ends.note(revoked.map(({ id }) => id))
      await followClock()
      await ends.write()
      await held.writeSeen()
      await proofs.write()
      held.sweep()
      return revoked
    },
    async tidy() {
      await followClock()
      await held.writeSeen()
      const atMs = now()
      const before = {
        startedMs: atMs - limits.absoluteMs,
        seenMs: atMs - limits.idleMs - SEEN_LAG_MS,
        provenMs: atMs - UNPROVABLE_MS,
      }
      const expired = await inPages(() => store.ends.removeExpired(before, atMs))
      for (const { key } of expired) held.forget(key)
      counted = await store.sessions.count()
      return expired
    },
    get size() {
      return counted.sessions
    },
  }
}

/** Number of pages at a time: the rest waits for the next run, so that other writers come between. */
const MAX_PAGES = 20

/** Asks for the next page as long as there is a full one. */
async function inPages<Row>(readPage: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await readPage()
    rows.push(...page)
    if (page.length < MAX_ROWS) break
  }
  return rows
}
