import { mkdir } from 'node:fs/promises'
import { createMirror, openReleaseStore, type StorePlace } from '@sekisho/release'
import type { DataFolder } from '../data-folder.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'

export interface FollowStoreOptions {
  readonly place: StorePlace
  readonly folder: DataFolder
  readonly log: Log
  readonly metrics: Metrics
}

/** A new release is served two seconds after its publication at most: this, the time it takes to fetch, and {@link LOOK_MS}. */
const ASK_MS = 1_000
/** How often the pointer in our own folder is read while requests come. */
const LOOK_MS = 200
/** A gate that has nothing waits so long for its first release before it says that there is none. */
const FIRST_MS = 5_000

/** Keeps copies of what is published elsewhere, and names the folder to serve from. Disposing ends what is under way. */
export async function followStore({ place, folder, log, metrics }: FollowStoreOptions) {
  const releasesDir = folder.fetchedReleases
  await mkdir(releasesDir, { recursive: true, mode: 0o700 })
  const ending = new AbortController()
  let problem: string | null = null
  const store = openReleaseStore(place, ending.signal)
  const look = createMirror({
    store,
    releasesDir,
    elapsed: () => performance.now(),
    sweepEveryMs: 'folder' in place ? ASK_MS : 10 * ASK_MS,
    onProblem(reason) {
      problem = reason
      if (reason === null) return log('info', 'release_store_followed', { place: store.place })
      if (ending.signal.aborted) return
      metrics.countEvent('release_store_failed')
      log('error', 'release_store_failed', { reason })
    },
  })
  let looking: Promise<void> | null = null
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }
  const { promise: waited, resolve } = Promise.withResolvers<void>()
  const patience = setTimeout(resolve, FIRST_MS)
  await Promise.race([lookOnce(), waited])
  clearTimeout(patience)
  const timer = setInterval(lookOnce, ASK_MS)
  return {
    releasesDir,
    checkEveryMs: LOOK_MS,
    refusedElsewhere: () => problem,
    /** Looks at once at what is published. */
    lookOnce,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      ending.abort()
      await looking
    },
  }
}
