import type { Edition, Manifest, ReleaseFile } from './manifest.ts'
import { isHashedAsset } from './packing/build/content-types.ts'
import { listReleaseIds, loadManifest, readPointer } from './release-store.ts'

/** A file and the release that holds it. */
export interface Found {
  readonly releaseId: string
  readonly file: ReleaseFile
}

/** A kept release without its files: what its search needs. */
interface EarlierRelease {
  readonly id: string
  readonly editions: readonly Pick<Edition, 'name' | 'search' | 'localeSearches'>[]
}

/** The served release; none yet; or none because the one to serve is damaged. */
export type ReleaseStatus =
  | { readonly state: 'ready'; readonly id: string; readonly refused: string | null }
  | { readonly state: 'none' }
  | { readonly state: 'broken'; readonly reason: string }

/** The release the pointer names, followed while the gate runs. */
interface CurrentRelease {
  /** The manifest being served; looks at the pointer at most twice a second, and is at hand the rest of the time. */
  manifest(): Promise<Manifest | null> | Manifest | null
  /**
   * Looks at the pointer at once.
   * @param known the manifest it is expected to name, read a moment ago: it is not read again
   */
  refresh(known?: Manifest): Promise<void>
  /**
   * A hashed asset of the same edition of an earlier kept release, for tabs opened before the last publication. What has become
   * another edition's since is not found.
   */
  findEarlier(edition: string, path: string): Promise<Found | null>
  /** The newest kept release that is older than the one being served; null when there is none. */
  before(): Promise<EarlierRelease | null>
  status(): ReleaseStatus
  /** The manifest that was served last, without a look at the pointer. */
  served(): Manifest | null
}

export interface CurrentReleaseOptions {
  readonly releasesDir: string
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  /** Told once for each release that cannot be read. */
  readonly onProblem: (reason: string) => void
  /** Told of each release before it is served; while it throws, what was served before is. */
  readonly onServe?: (manifest: Manifest) => void
  readonly checkEveryMs?: number
}

/** Loads the current release. Never throws for a damaged one: then the release before it goes on being served. */
export async function followCurrent(options: CurrentReleaseOptions): Promise<CurrentRelease> {
  const { releasesDir, elapsed, onProblem, onServe, checkEveryMs = 500 } = options
  let served: Manifest | null = null
  let refused: { readonly pointer: string; readonly reason: string } | null = null
  const earlier = new Map<string, Promise<ReadonlyMap<string, Found>>>()
  let before: Promise<EarlierRelease | null> | null = null
  let kept = ''
  const forgetEarlier = (): void => {
    earlier.clear()
    before = null
  }
  let checkedAtMs = elapsed()

  /** Stops serving removed releases from memory. */
  async function lookAtKept(): Promise<void> {
    const now = (await listReleaseIds(releasesDir)).join()
    if (now !== kept) forgetEarlier()
    kept = now
  }
  /** One after the other: a slow one that began earlier must not undo what a later one found. */
  let looking = Promise.resolve()
  const look = (known?: Manifest): Promise<void> => {
    looking = looking.then(() => lookOnce(known))
    return looking
  }
  async function lookOnce(known?: Manifest): Promise<void> {
    let pointer = 'unreadable'
    try {
      const id = await readPointer(releasesDir)
      pointer = id ?? 'absent'
      if (id === null || id === served?.id) refused = null
      else if (refused?.pointer !== pointer) {
        const next = known?.id === id ? known : await loadManifest(releasesDir, id, served)
        pointer = 'untold' // so that it is tried again
        onServe?.(next)
        served = next
        refused = null
        forgetEarlier()
      }
      await lookAtKept()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (refused?.pointer !== pointer || refused.reason !== reason) onProblem(reason)
      refused = { pointer, reason }
    }
  }

  await look()
  return {
    manifest() {
      const nowMs = elapsed()
      if (nowMs - checkedAtMs < checkEveryMs) return served
      checkedAtMs = nowMs
      return look().then(() => served)
    },
    async refresh(known) {
      checkedAtMs = elapsed()
      await look(known)
    },
    async findEarlier(edition, path) {
      if (served === null || !isHashedAsset(path)) return null
      const known = earlier.get(edition) ?? loadEarlier(releasesDir, served, edition)
      earlier.set(edition, known)
      return (await known).get(path) ?? null
    },
    async before() {
      if (served === null) return null
      before ??= loadBefore(releasesDir, served.id)
      return before
    },
    status() {
      if (served !== null) return { state: 'ready', id: served.id, refused: refused?.reason ?? null }
      return refused === null ? { state: 'none' } : { state: 'broken', reason: refused.reason }
    },
    served: () => served,
  }
}

/**
 * Files of earlier releases for the tabs of one edition, less those of the current release. With editions, each must belong to a page that
 * the edition still has, and match no path or content of another edition; chunks that no page names fail closed.
 */
async function loadEarlier(
  releasesDir: string,
  current: Manifest,
  name: string,
): Promise<ReadonlyMap<string, Found>> {
  const editionOf = (manifest: Manifest | null) => manifest?.editions.find((edition) => edition.name === name)
  const now = editionOf(current)?.files ?? new Map<string, ReleaseFile>()
  const others = current.editions.filter((edition) => edition.name !== name)
  const ownHashes = new Set([...now.values()].map(({ sha256 }) => sha256))
  const othersHashes = new Set(others.flatMap(({ files }) => [...files.values()].map(({ sha256 }) => sha256)))
  const isOthers = (path: string, { sha256 }: ReleaseFile) =>
    others.some(({ files }) => files.has(path)) || (othersHashes.has(sha256) && !ownHashes.has(sha256))
  const found = new Map<string, Found>()
  for (const id of await listReleaseIds(releasesDir)) {
    if (id === current.id) continue
    const manifest = await loadManifest(releasesDir, id, current).catch(() => null)
    const files = editionOf(manifest)?.files ?? new Map<string, ReleaseFile>()
    const isOfOwnPage = others.length === 0 ? () => true : createPartCheck(files, now)
    for (const [path, file] of files) {
      if (file.cache !== 'immutable' || now.has(path) || found.has(path)) continue
      if (!isOthers(path, file) && isOfOwnPage(file)) found.set(path, { releaseId: id, file })
    }
  }
  return found
}

/** Tells of a file of an earlier release whether a page loaded it that is still in the edition. */
function createPartCheck(files: ReadonlyMap<string, ReleaseFile>, now: ReadonlyMap<string, ReleaseFile>) {
  const pages = [...files].filter(([, { delivery }]) => delivery === 'page').map(([path]) => path)
  // What at least half of the pages load is named by none: one of them is left for certain where more than half are.
  const areMostLeft = pages.filter((page) => now.has(page)).length * 2 > pages.length
  return ({ partOf }: ReleaseFile): boolean =>
    partOf?.length === 0 ? areMostLeft : partOf?.some((page) => now.has(page)) === true
}

/** Release ids sort by the time they were packed. */
async function loadBefore(releasesDir: string, current: string): Promise<EarlierRelease | null> {
  const id = (await listReleaseIds(releasesDir)).find((one) => one < current)
  const manifest = id === undefined ? null : await loadManifest(releasesDir, id).catch(() => null)
  if (manifest === null) return null
  const editions = manifest.editions.map(({ name, search, localeSearches }) => ({
    name,
    search,
    ...(localeSearches === undefined ? {} : { localeSearches }),
  }))
  return { id: manifest.id, editions }
}
