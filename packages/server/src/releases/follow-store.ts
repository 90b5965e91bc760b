import { mkdir } from 'node:fs/promises'
import { createMirror, openReleaseStore, type PreviewPlace, type StorePlace } from '@sekisho/release'
import type { Log } from '../kernel/monitoring/log.ts'
import type { Metrics } from '../kernel/monitoring/metrics.ts'
import type { DataFolder } from '../storage/data-folder.ts'

interface FollowStoreOptions {
  readonly place: StorePlace
  readonly folder: DataFolder
  readonly log: Log
  readonly metrics: Metrics
}

/** A gate asks the store so often. It serves an edit two seconds after its publication at most: this, the time it takes to fetch, and {@link LOOK_MS}. */
export const STORE_LOOK_MS = 1_000
/** Interval of reading the list of previews: one request for all. Buckets charge for it. */
export const previewLookMs = (place: PreviewPlace): number => ('folder' in place ? 1_000 : 5_000)
/** Interval of reading the pointer in our own folder while requests arrive. */
const LOOK_MS = 200
/** A gate that has nothing waits so long for its first release before it says that there is none. */
const FIRST_MS = 5_000

/** Copies of releases that are published elsewhere. */
export interface StoreCopies {
  readonly releasesDir: string
  readonly checkEveryMs: number
  readonly refusedElsewhere: () => string | null
  /** Time since what is published was last known here. */
  readonly ageMs: () => number
  /** Looks at what is published by now; a look that is under way may have seen what was before. */
  lookAgain(): Promise<void>
}

/** Keeps copies of what is published elsewhere, and names the folder to serve from. Disposing ends what is under way. */
export async function followStore({
  place,
  folder,
  log,
  metrics,
}: FollowStoreOptions): Promise<StoreCopies & AsyncDisposable> {
  const releasesDir = folder.fetchedReleases
  await mkdir(releasesDir, { recursive: true, mode: 0o700 })
  const ending = new AbortController()
  let problem: string | null = null
  const store = openReleaseStore(place, ending.signal)
  const look = createMirror({
    store,
    releasesDir,
    elapsed: () => performance.now(),
    sweepEveryMs: 'folder' in place ? STORE_LOOK_MS : 10 * STORE_LOOK_MS,
    onProblem(reason) {
      problem = reason
      if (reason === null) return log('info', 'release_store_followed', { place: store.place })
      if (ending.signal.aborted) return
      metrics.countEvent('release_store_failed')
      log('error', 'release_store_failed', { reason })
    },
  })
  let looking: Promise<void> | null = null
  let seenAtMs = performance.now()
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null
      if (problem === null) seenAtMs = performance.now()
    })
    return looking
  }
  await inTime(lookOnce(), FIRST_MS)
  const timer = setInterval(lookOnce, STORE_LOOK_MS)
  return {
    releasesDir,
    checkEveryMs: LOOK_MS,
    refusedElsewhere: () => problem,
    ageMs: () => performance.now() - seenAtMs,
    async lookAgain() {
      await looking
      await lookOnce()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      ending.abort()
      await looking
    },
  }
}

/** Waits for it, but no longer than that. */
export async function inTime(work: Promise<void>, ms: number): Promise<void> {
  const { promise: waited, resolve } = Promise.withResolvers<void>()
  const patience = setTimeout(resolve, ms)
  await Promise.race([work, waited])
  clearTimeout(patience)
}
