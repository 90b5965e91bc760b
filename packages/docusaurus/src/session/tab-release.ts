import { RELEASE_TIMING } from '@sekisho/contract/response-headers'
import { markOutdated } from '@sekisho/light-pages/connection'

let own: string | null | undefined
let isOutdated = false
const listeners = new Set<() => void>()

/** Whether another release than this tab's is being served; in the shape of an external store. */
export const newerRelease = {
  get: (): boolean => isOutdated,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Takes note of the release that an answer was of; null when it did not say. */
export function noteRelease(release: string | null): void {
  if (release === null) return
  own ??= readOwnRelease() ?? release
  const next = release !== own
  if (next === isOutdated) return
  isOutdated = next
  markOutdated(next)
  for (const listener of listeners) listener()
}

/** The release of this document, from the one of its own headers that a page can read. */
function readOwnRelease(): string | null {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.serverTiming?.find(({ name }) => name === RELEASE_TIMING)?.description ?? null
}
