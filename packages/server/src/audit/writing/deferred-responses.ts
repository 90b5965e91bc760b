import { UnavailableError } from '../../storage/unavailable-error.ts'

/** Responses that are held back until the line that tells of them is on the disk. */
interface DeferredResponses {
  /** Resolves when so many lines as were recorded until now are on the disk; rejects with `UnavailableError` when that takes too long. */
  hold(recorded: number): Promise<void>
  /** Lets go of those whose line is on the disk. */
  release(stored: number): void
  readonly size: number
}

interface Held {
  readonly recorded: number
  readonly letGo: () => void
}

/** Maximum time that a response is deferred. */
export const MAX_DEFERRED_MS = 15_000

export function createDeferredResponses(): DeferredResponses {
  const held = new Set<Held>() // in the order of their lines
  return {
    hold: (recorded) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          held.delete(one)
          reject(unwritable())
        }, MAX_DEFERRED_MS)
        const letGo = () => {
          clearTimeout(timer)
          held.delete(one)
          resolve()
        }
        const one: Held = { recorded, letGo }
        held.add(one)
      }),
    release(stored) {
      for (const { recorded, letGo } of held) {
        if (recorded > stored) return
        letGo()
      }
    },
    get size() {
      return held.size
    },
  }
}

/** Error for requests while lines do not reach the disk. */
export function unwritable(): UnavailableError {
  return new UnavailableError('unavailable', 'the audit trail cannot be written')
}
