import type { SignInFailureCause } from '@sekisho/contract/sign-in-problem'
import type { PartState } from './health.ts'
import { describeError, type Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Sign-ins that failed without a word on the account: counted one by one, logged once a minute for each cause. */
export interface SignInWatch {
  noteFailure(cause: SignInFailureCause, error: unknown): void
  noteSuccess(): void
  /** Degraded while the last sign-in failed, for ten minutes at most without further attempts. */
  state(): PartState
}

interface SignInWatchOptions {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'countSignInFailure'>
  readonly now: () => number
}

const LOG_EVERY_MS = 60_000
const REMEMBERED_MS = 600_000

export function watchSignIns({ log, metrics, now }: SignInWatchOptions): SignInWatch {
  const logged = new Map<SignInFailureCause, { atMs: number; unlogged: number }>()
  let failedAtMs: number | null = null
  return {
    noteFailure(cause, error) {
      const atMs = now()
      failedAtMs = atMs
      metrics.countSignInFailure(cause)
      const last = logged.get(cause)
      if (last !== undefined && atMs >= last.atMs && atMs - last.atMs < LOG_EVERY_MS) {
        last.unlogged += 1
        return
      }
      logged.set(cause, { atMs, unlogged: 0 })
      log('error', 'sign_in_failed', { cause, unlogged: last?.unlogged ?? 0, error: describeError(error) })
    },
    noteSuccess() {
      failedAtMs = null
    },
    state: () => (failedAtMs !== null && now() - failedAtMs < REMEMBERED_MS ? 'degraded' : 'ok'),
  }
}
