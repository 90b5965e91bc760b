import type { Held, HeldSessions } from './held/held-sessions.ts'
import type { UnwrittenEnds } from './held/unwritten-ends.ts'
import type { Session } from './rows/session.ts'
import type { SessionRules } from './session-rules.ts'

/** Finds living sessions, at once in memory where that may be trusted. */
export interface SessionFinder {
  find(key: string, touch: boolean): Session | null | Promise<Session | null>
}

interface FinderOptions {
  readonly held: HeldSessions
  readonly ends: UnwrittenEnds
  readonly rules: SessionRules
  readonly now: () => number
}

export function createFinder({ held, ends, rules, now }: FinderOptions): SessionFinder {
  function judge(session: Held, touch: boolean): Session | null {
    if (!rules.isAlive(session)) return null
    if (touch) held.touch(session, now())
    return session
  }
  /** A session that hangs on another is as good as that one, whose proofs say of both what the issuer says; its own use does not keep that alive. */
  function vouch(session: Held, touch: boolean): Session | null | Promise<Session | null> {
    if (session.parent === undefined) return judge(session, touch)
    const parent = find(session.parent, false)
    const judgeBy = (from: Session | null) => {
      const own = from === null ? null : judge(session, touch)
      return own === null || from === null ? null : { ...own, vouched: from.vouched }
    }
    return parent instanceof Promise ? parent.then(judgeBy) : judgeBy(parent)
  }
  function find(key: string, touch: boolean): Session | null | Promise<Session | null> {
    const known = held.findTrusted(key)
    if (known !== null) return vouch(known, touch)
    if (ends.has(key)) return null
    return held.load(key).then((session) => (session === null ? null : vouch(session, touch)))
  }
  return { find }
}
