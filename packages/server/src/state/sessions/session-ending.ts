import type { EndReason } from '@sekisho/contract/session-response'
import type { HeldSessions } from './held/held-sessions.ts'
import type { UnwrittenEnds } from './held/unwritten-ends.ts'
import type { Account, Session, SessionLimits, SessionRow } from './rows/session.ts'
import type { SessionStore } from './rows/session-store.ts'
import type { SessionRules } from './session-rules.ts'

export type EndScope = 'one' | 'account'
/** Scope of an issuer's logout: an account's sessions, or those of one session of its own. */
export type IssuerEnd = { readonly sub: string } | { readonly sid: string }
type ReasonOf = (session: SessionRow) => EndReason | null

/** Ends sessions: for this process at once, and in the store before it is said to be done. */
export interface SessionEnding {
  end(key: string, scope: EndScope, reasonOf: ReasonOf): Promise<readonly SessionRow[]>
  /** Ends these, wherever they are kept. */
  endAll(sessions: readonly SessionRow[], reasonOf: ReasonOf): Promise<void>
  /** All sessions of an account with the last uses this process knows of, the latest first. */
  ofAccount(account: Account): Promise<readonly SessionRow[]>
  /** Ends what the issuer says is over. */
  endOf(issuer: string, ended: IssuerEnd): Promise<readonly Session[]>
  findReason(key: string): Promise<EndReason | null>
}

interface EndingOptions {
  readonly store: Pick<SessionStore, 'sessions' | 'ends'>
  readonly held: HeldSessions
  readonly ends: UnwrittenEnds
  readonly rules: SessionRules
  readonly limits: SessionLimits
  readonly now: () => number
}

export function createEnding({ store, held, ends, rules, limits, now }: EndingOptions): SessionEnding {
  function forgetAndEnd(sessions: readonly SessionRow[], reasonOf: ReasonOf): void {
    for (const session of sessions) {
      held.forget(session.key)
      ends.add(session, reasonOf(session))
    }
    held.distrust(sessions.map(({ key }) => key))
  }
  async function ofAccount(account: Account): Promise<readonly SessionRow[]> {
    const rows = (await store.sessions.ofAccount(account)).filter(({ key }) => !ends.has(key))
    const seen = ({ key, lastSeenAtMs }: SessionRow) =>
      Math.max(lastSeenAtMs, held.get(key)?.lastSeenAtMs ?? 0)
    return rows
      .map((row) => ({ ...row, lastSeenAtMs: seen(row) }))
      .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs)
  }

  return {
    ofAccount,
    async end(key, scope, reasonOf) {
      const known = held.get(key) ?? ends.find(key)?.session ?? (await store.sessions.find(key))
      if (known === null) return []
      forgetAndEnd([known], reasonOf)
      const isAlone = scope === 'one' && known.kind !== 'standing'
      const alike = isAlone ? [] : await ofAccount(known)
      const others = scope === 'account' ? alike : alike.filter(({ parent }) => parent === known.key)
      forgetAndEnd(others, reasonOf)
      await ends.write()
      return [known, ...others]
    },
    async endAll(sessions, reasonOf) {
      forgetAndEnd(sessions, reasonOf)
      await ends.write()
    },
    async endOf(issuer, ended) {
      const rows =
        'sub' in ended
          ? await ofAccount({ issuer, sub: ended.sub })
          : (await store.sessions.ofIssuerSession(issuer, ended.sid)).filter(({ key }) => !ends.has(key))
      forgetAndEnd(rows, () => 'account')
      await ends.write()
      return rows
    },
    async findReason(key) {
      const unwritten = ends.find(key)
      if (unwritten !== undefined) return unwritten.end.reason
      const session = held.get(key) ?? (await store.sessions.find(key))
      if (session === null) return store.ends.findReason(key)
      if (now() < rules.expiresAtMs(session)) return null
      if (now() >= session.startedAtMs + limits.absoluteMs) return 'absolute'
      return now() >= session.lastSeenAtMs + limits.idleMs ? 'idle' : 'unproven'
    },
  }
}
