import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createMirror, openPreviewStore, type PreviewPlace, previewReleasesDir } from '@sekisho/release'
import type { Log } from '../../kernel/monitoring/log.ts'
import { inTime } from '../../releases/follow-store.ts'
import { openReleases, type Releases } from '../../releases/open-releases.ts'
import type { DataFolder } from '../../storage/data-folder.ts'

/** Releases of so many previews are held in memory at once; those read last. */
const MAX_OPEN = 8
const MAX_CACHE_BYTES = 2 * 1024 * 1024
/** Interval of looking at a preview's pointer while it is read; unread previews are not polled. */
const LOOK_MS = 2_000
/** Time limits for a preview: `first` while it is fetched, `next` for the store's response while it is read. */
const WAIT_MS = { first: 10_000, next: 1_000 }

interface PreviewReleases {
  /** Of one preview; nothing is opened or fetched before a signed-in reader asks. */
  of(name: string): Pick<Releases, 'editions'>
  /** Forgets what was opened. */
  forget(name: string): void
}

interface Options {
  readonly place: PreviewPlace
  /** The place is the data folder itself, and needs no copy. */
  readonly isOwn: boolean
  readonly folder: Pick<DataFolder, 'root' | 'fetchedPreviews' | 'fetchedReleases'>
  readonly log: Log
  /** Ends what is being fetched. */
  readonly signal: AbortSignal
}

interface Opened {
  readonly releases: Releases
  /** Checks for a newer release when due; what is served is no older than the last check. */
  look(): Promise<void> | null
}

/** Opens releases of previews when they are read, and lets go of those read longest ago. */
export function createPreviewReleases({ place, isOwn, folder, log, signal }: Options): PreviewReleases {
  const opened = new Map<string, Promise<Opened>>()
  const store = openPreviewStore(place, signal)

  async function open(name: string): Promise<Opened> {
    const onProblem = (reason: string) => log('error', 'preview_refused', { preview: name, reason })
    const shared = { onProblem, maxCacheBytes: MAX_CACHE_BYTES }
    if (isOwn) {
      const releases = await openReleases({ releasesDir: previewReleasesDir(folder.root, name), ...shared })
      return { releases, look: () => null }
    }
    const releasesDir = join(folder.fetchedPreviews, name)
    await mkdir(releasesDir, { recursive: true, mode: 0o700 })
    const mirror = createMirror({
      store: store.open(name),
      releasesDir,
      blobSourceDir: folder.fetchedReleases,
      elapsed: () => performance.now(),
      onProblem: (reason) => reason !== null && !signal.aborted && onProblem(reason),
    })
    await inTime(mirror(), WAIT_MS.first)
    const releases = await openReleases({ releasesDir, checkEveryMs: 200, ...shared })
    let looking: Promise<void> | null = null
    let lookAtMs = performance.now() + LOOK_MS
    const follow = async () => {
      await mirror()
      await releases.refresh()
      lookAtMs = performance.now() + LOOK_MS
      looking = null
    }
    const look = () => {
      if (performance.now() >= lookAtMs) looking ??= follow()
      return looking
    }
    return { releases, look }
  }

  async function find(name: string): Promise<Releases> {
    const pending = opened.get(name) ?? open(name)
    opened.delete(name) // set again: the map's order is the order of last use
    opened.set(name, pending)
    for (const oldest of opened.keys()) {
      if (opened.size <= MAX_OPEN) break
      opened.delete(oldest)
    }
    try {
      const { releases, look } = await pending
      const looking = look()
      if (looking !== null) await inTime(looking, WAIT_MS.next)
      return releases
    } catch (error) {
      if (opened.get(name) === pending) opened.delete(name)
      throw error
    }
  }

  return {
    of: (name) => ({ editions: async () => (await find(name)).editions() }),
    forget: (name) => void opened.delete(name),
  }
}
