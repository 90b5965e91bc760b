/** Tells whether this process was held up: stopped for a while, or kept from its event loop. */
interface Pulse extends Disposable {
  /** True within a second after a stall of the process: requests have waited, and changes by others are not yet known. */
  isBehind(): boolean
}

const BEAT_MS = 250
/** A sync, a large page or a collection of garbage takes less. */
const HELD_UP_MS = 5_000
/** Notifications that waited are read by then, and revocations looked for. */
const CATCH_UP_MS = 1_000

/** @param elapsed milliseconds of a clock that never goes back */
export function startPulse(elapsed: () => number = () => performance.now()): Pulse {
  let beatAtMs = elapsed()
  let behindUntilMs = Number.NEGATIVE_INFINITY
  function beat(): void {
    const atMs = elapsed()
    if (atMs - beatAtMs > HELD_UP_MS) behindUntilMs = atMs + CATCH_UP_MS
    beatAtMs = atMs
  }
  const timer = setInterval(beat, BEAT_MS).unref()
  return {
    isBehind() {
      beat() // a request may be read before the timer's turn
      return beatAtMs < behindUntilMs
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
