import { ASKED_TIMING, RELEASE_TIMING, UPDATES_TIMING } from '@sekisho/contract/response-headers'
import { markOutdated } from '@sekisho/light-pages/connection'

let own: string | null | undefined
let isOutdated = false
let isOtherEdition = false
const listeners = new Set<() => void>()

/** True while the served release is another than this tab's; in the shape of an external store. */
export const newerRelease = {
  get: (): boolean => isOutdated,
  /** True if the cause is a change of the pages this reader may read. */
  isOtherEdition: (): boolean => isOtherEdition,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Length of a release's id, before its edition (`20261123T211116Z-80fda714`). */
const ID_CHARS = 25

/** Takes note of the release that an answer was of; null when it did not say. */
export function noteRelease(release: string | null): void {
  if (release === null) return
  own ??= readOwnRelease() ?? release
  const next = release !== own
  const other = next && release.slice(ID_CHARS) !== own.slice(ID_CHARS)
  if (next === isOutdated && other === isOtherEdition) return
  isOtherEdition = other
  isOutdated = next
  markOutdated(next)
  for (const listener of listeners) listener()
}

/** The release that this tab shows, until its reader opens another; null when the document did not say. */
export const releaseOfTab = (): string | null => own ?? readOwnRelease()

/** True if pages had changed since the reader's last visit when this document was delivered. */
export const hasUpdates = (): boolean => readTiming(UPDATES_TIMING) !== undefined

/** Number of pages that the reader had yet to acknowledge when this document was delivered. */
export const countOpen = (): string => readTiming(ASKED_TIMING)?.description ?? '0'

/** The release of this document. */
const readOwnRelease = (): string | null => readTiming(RELEASE_TIMING)?.description ?? null

/** Reads a metric of the one of its own headers that a page can read. */
function readTiming(metric: string): PerformanceServerTiming | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.serverTiming?.find(({ name }) => name === metric)
}
