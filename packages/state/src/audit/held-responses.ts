import { UnavailableError } from '../unavailable-error.ts'

/** Responses that are held back until the line that tells of them is on the disk. */
export interface HeldResponses {
  /** Resolves when line `seq` is on the disk; rejects with `UnavailableError` when that takes too long. */
  hold(seq: number): Promise<void>
  /** Lets go of those whose line is on the disk. */
  release(throughSeq: number): void
  readonly size: number
}

interface Held {
  readonly seq: number
  readonly letGo: () => void
}

/** How long a response is held back at most. */
export const MAX_HELD_MS = 15_000

export function createHeldResponses(): HeldResponses {
  const held = new Set<Held>() // in the order of their lines
  return {
    hold: (seq) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          held.delete(one)
          reject(unwritable())
        }, MAX_HELD_MS)
        const letGo = () => {
          clearTimeout(timer)
          held.delete(one)
          resolve()
        }
        const one: Held = { seq, letGo }
        held.add(one)
      }),
    release(throughSeq) {
      for (const { seq, letGo } of held) {
        if (seq > throughSeq) return
        letGo()
      }
    },
    get size() {
      return held.size
    },
  }
}

/** What whoever asks is told while lines do not reach the disk. */
export function unwritable(): UnavailableError {
  return new UnavailableError('unavailable', 'the audit trail cannot be written')
}
