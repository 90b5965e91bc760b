import type { Manifest, ReleaseFile } from './manifest.ts'
import { isHashedAsset } from './packing/content-types.ts'
import { listReleaseIds, loadManifest, readPointer } from './release-store.ts'

/** A file and the release that holds it. */
export interface Found {
  readonly releaseId: string
  readonly file: ReleaseFile
}

/** What is being served: a release; nothing yet; or nothing because what should be served is damaged. */
export type ReleaseStatus =
  | { readonly state: 'ready'; readonly id: string; readonly refused: string | null }
  | { readonly state: 'none' }
  | { readonly state: 'broken'; readonly reason: string }

/** The release the pointer names, followed while the gate runs. */
export interface CurrentRelease {
  /** The manifest being served; looks at the pointer at most once a second, and is at hand the rest of the time. */
  manifest(): Promise<Manifest | null> | Manifest | null
  /** A hashed asset of an earlier kept release, for tabs opened before the last publication. */
  findEarlier(path: string): Promise<Found | null>
  status(): ReleaseStatus
}

export interface CurrentReleaseOptions {
  readonly releasesDir: string
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  /** Told once for each release that cannot be read. */
  readonly onProblem: (reason: string) => void
  readonly checkEveryMs?: number
}

/** Loads the current release. Never throws for a damaged one: then the release before it goes on being served. */
export async function followCurrent(options: CurrentReleaseOptions): Promise<CurrentRelease> {
  const { releasesDir, elapsed, onProblem, checkEveryMs = 1_000 } = options
  let served: Manifest | null = null
  let refused: { readonly pointer: string; readonly reason: string } | null = null
  let earlier: Promise<ReadonlyMap<string, Found>> | null = null
  let checkedAtMs = elapsed()

  async function look(): Promise<void> {
    let pointer = 'unreadable'
    try {
      const id = await readPointer(releasesDir)
      pointer = id ?? 'absent'
      if (id === null || id === served?.id) refused = null
      else if (refused?.pointer !== pointer) {
        served = await loadManifest(releasesDir, id)
        refused = null
        earlier = null
      }
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
    async findEarlier(path) {
      if (served === null || !isHashedAsset(path)) return null
      earlier ??= loadEarlier(releasesDir, served)
      return (await earlier).get(path) ?? null
    },
    status() {
      if (served !== null) return { state: 'ready', id: served.id, refused: refused?.reason ?? null }
      return refused === null ? { state: 'none' } : { state: 'broken', reason: refused.reason }
    },
  }
}

/** Only what the current release does not hold itself, so that earlier releases cost little memory. */
async function loadEarlier(releasesDir: string, current: Manifest): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  for (const id of await listReleaseIds(releasesDir)) {
    if (id === current.id) continue
    const manifest = await loadManifest(releasesDir, id).catch(() => null)
    for (const [path, file] of manifest?.files ?? []) {
      if (file.cache !== 'immutable' || current.files.has(path) || found.has(path)) continue
      found.set(path, { releaseId: id, file })
    }
  }
  return found
}
