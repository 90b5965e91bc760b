/** Spreads calls to a service that limits how often it is asked. */
interface Pace {
  /** Resolves when the next call may be made. */
  turn(): Promise<void>
  /** The service refused a call; none is made before it may be. */
  limit(waitMs: number): void
  /** The service answered a call. */
  answered(): void
}

export interface PaceOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
  readonly wait?: (ms: number) => Promise<void>
  readonly random?: () => number
}

/** A service that names no time, or one that lasts for hours, is asked again after these. */
const DEFAULT_WAIT_MS = 5_000
const MAX_WAIT_MS = 120_000
const MIN_PER_SECOND = 1
/** Gates that were refused together come back up to a quarter later, each at a moment of its own. */
const JITTER = 0.25
/** So many answers double the pace again, up to that of the beginning. */
const RECOVERY_ANSWERS = 50

const waitUnref = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())

/** Makes turns at `perSecond` at most: half as many after each refusal, and gradually as many again. */
export function createPace(perSecond: () => number, options: PaceOptions = {}): Pace {
  const { elapsed = () => performance.now(), wait = waitUnref, random = Math.random } = options
  let share = 1
  let nextMs = 0
  let pausedUntilMs = 0
  return {
    async turn() {
      for (;;) {
        const atMs = elapsed()
        const gapMs = 1_000 / Math.max(MIN_PER_SECOND, perSecond() * share)
        const slotMs = Math.max(atMs, nextMs, pausedUntilMs)
        nextMs = slotMs + gapMs
        if (slotMs > atMs) await wait(slotMs - atMs)
        if (elapsed() >= pausedUntilMs) return // else it was refused meanwhile
      }
    },
    limit(waitMs) {
      const atMs = elapsed()
      if (atMs >= pausedUntilMs) share = Math.max(share / 2, 1 / 1_024) // once for all calls under way
      const untilMs = atMs + Math.min(waitMs, MAX_WAIT_MS) * (1 + random() * JITTER)
      pausedUntilMs = Math.max(pausedUntilMs, untilMs)
      nextMs = Math.max(nextMs, pausedUntilMs)
    },
    answered() {
      share = Math.min(1, share * 2 ** (1 / RECOVERY_ANSWERS))
    },
  }
}

/** Milliseconds that a Retry-After header asks for (RFC 9110 §10.2.3), in seconds or until a date; the default without one. */
export function readRetryAfterMs(value: string | null, nowMs: number): number {
  if (value !== null && /^\d{1,9}$/.test(value)) return Math.max(1_000, Number(value) * 1_000)
  const untilMs = value === null ? Number.NaN : Date.parse(value)
  return Number.isNaN(untilMs) ? DEFAULT_WAIT_MS : Math.max(1_000, untilMs - nowMs)
}
