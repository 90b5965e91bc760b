import type { AdmissionFailure } from '../sign-in/state.ts'
import type { Admission } from './open-session.ts'

/** Waits between tries: short enough that a reader who is watching does not leave. */
const DELAYS_MS: readonly number[] = [1000, 2500, 5000]

/** Trouble that often passes by itself; everything else is final for this token. */
const PASSING: ReadonlySet<AdmissionFailure> = new Set(['identity-unavailable', 'unavailable', 'unreachable'])

/** Tries again while the trouble may pass; a refusal or a rejection is never repeated. */
export async function retryWhilePassing(
  attempt: () => Promise<Admission>,
  wait: (ms: number) => Promise<void>,
): Promise<Admission> {
  let outcome = await attempt()
  for (const delayMs of DELAYS_MS) {
    if (outcome.kind !== 'failed' || !PASSING.has(outcome.reason)) return outcome
    await wait(delayMs)
    outcome = await attempt()
  }
  return outcome
}
