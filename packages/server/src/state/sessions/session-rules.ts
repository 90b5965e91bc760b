import { UnavailableError } from '../../storage/unavailable-error.ts'
import { SEALED_NOTHING_BYTES } from './rows/seal.ts'
import { type Session, type SessionLimits, type SessionRow, UNPROVABLE_MS } from './rows/session.ts'
import { MAX_CLOCK_STEP_MS } from './rows/session-store.ts'

/** Expiry rules. */
export interface SessionRules {
  /** Time at which the session ends without further use. */
  expiresAtMs(session: Session): number
  /** Tells if it began so far ahead of this clock that the clock was set back. */
  isOfAnotherTime(session: Session): boolean
  /**
   * Tells if it is alive. Fails with `UnavailableError` when its account was not revalidated for too long, and while it begins in this
   * clock's future.
   */
  isAlive(session: SessionRow): boolean
  /** Accounts proven by then are due: a little before the interval is over. */
  dueMs(): number
}

export function createRules(limits: SessionLimits, now: () => number): SessionRules {
  const rules: SessionRules = {
    expiresAtMs({ startedAtMs, lastSeenAtMs, provenAtMs, isProvable, kind }) {
      const ofBrowserMs = Math.min(startedAtMs + limits.absoluteMs, lastSeenAtMs + limits.idleMs)
      const limitMs = kind === 'standing' ? Number.POSITIVE_INFINITY : ofBrowserMs // what hangs on it has limits of its own
      // The time of a proof is not sealed; the beginning is, and nothing proves such a session later.
      return isProvable ? limitMs : Math.min(limitMs, Math.min(startedAtMs, provenAtMs) + UNPROVABLE_MS)
    },
    isOfAnotherTime: ({ startedAtMs }) => now() < startedAtMs - MAX_CLOCK_STEP_MS,
    isAlive(session) {
      if (rules.isOfAnotherTime(session)) {
        throw new UnavailableError(
          'unavailable',
          'the clock was set back behind the beginning of this session',
        )
      }
      if (now() >= rules.expiresAtMs(session)) return false
      const isProvenAgain = session.refresh.length > SEALED_NOTHING_BYTES
      if (
        isProvenAgain &&
        now() > session.provenAtMs + limits.revalidationIntervalMs + limits.revalidationGraceMs
      ) {
        throw new UnavailableError('identity_unavailable', 'the account could not be proven again in time')
      }
      return true
    },
    dueMs: () => now() - limits.revalidationIntervalMs * 0.8,
  }
  return rules
}
