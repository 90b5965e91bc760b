import type { InspectIndex, LocalIndex } from '@sekisho/release/receiving'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { createSearchRunner, type SearchRunner } from './search-runner.ts'

/** Limit of one inspection, the start of its process included; the largest index that is known takes seven seconds. */
const INSPECT_MS = 60_000
const MAX_KEPT = 200

/** Inspects indexes that publishers send, each in a process of its own, one at a time and once for its hash. */
export function createIndexInspector(): { readonly inspect: InspectIndex; close(): Promise<void> } {
  const inspecting = createFairSemaphore(1)
  const kept = new Map<string, Promise<string | null>>()
  let running: SearchRunner | null = null

  async function inspectNow(index: LocalIndex): Promise<string | null> {
    running = createSearchRunner({ startTimeoutMs: INSPECT_MS })
    try {
      return await running.inspect(index)
    } finally {
      await running.close()
    }
  }
  return {
    async inspect(index) {
      const key = [index, ...index.parts].map(({ sha256 }) => sha256).join()
      const known = kept.get(key) ?? inspecting(key, () => inspectNow(index))
      kept.set(key, known)
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
      try {
        return await known
      } catch (error) {
        kept.delete(key)
        throw error
      }
    },
    close: async () => running?.close(),
  }
}
