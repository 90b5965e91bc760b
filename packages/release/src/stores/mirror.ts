import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from '../errors.ts'
import { listReleaseIds, loadManifest, movePointer, readPointer } from '../release-store.ts'
import { problemOf } from '../texts/index.ts'
import { fetchRelease } from './fetch-release.ts'
import type { Pointer, ReleaseStore } from './store.ts'

export interface MirrorOptions {
  readonly store: ReleaseStore
  /** The gate's own copy of what it serves. */
  readonly releasesDir: string
  /** A folder of other copies on this machine, whose files need not be fetched again. */
  readonly blobSourceDir?: string
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  /** Told once for each reason for which the store's release is not the one served here, and null when it is again. */
  readonly onProblem: (reason: string | null) => void
  /** Delay until files removed from the store go from this machine; buckets charge for lists. */
  readonly sweepEveryMs?: number
}

const MAX_PAUSE_MS = 30_000

/**
 * Follows the pointer of a store: each call looks once, fetches the release, and moves the local pointer once all of it is checked. Never
 * throws, so the machine keeps serving; failed fetches are retried with growing pauses.
 */
export function createMirror({
  store,
  releasesDir,
  elapsed,
  onProblem,
  sweepEveryMs = 10_000,
  ...blobSource
}: MirrorOptions): () => Promise<void> {
  let known: Pointer | undefined
  let followed: string | null = null
  let failure: { readonly id: string | null; readonly pauseMs: number; readonly untilMs: number } | null =
    null
  let said: string | null = null
  let sweepAtMs = 0

  async function look(): Promise<void> {
    known = await store.readPointer(known)
    const { id, version } = known
    if (id === null && version !== null) {
      throw new ReleaseError('pointer_invalid', [problemOf('bad_pointer_in', store.place)])
    }
    if (failure !== null && failure.id === id && elapsed() < failure.untilMs) return
    if (id !== null && id !== followed) {
      const isHere = (await loadManifest(releasesDir, id).catch(() => null)) !== null
      if (!isHere) await fetchRelease(id, { store, releasesDir, ...blobSource })
      if ((await readPointer(releasesDir).catch(() => null)) !== id) await movePointer(releasesDir, id)
      followed = id
      sweepAtMs = 0
    }
    if (elapsed() >= sweepAtMs) {
      await sweep()
      sweepAtMs = elapsed() + sweepEveryMs
    }
    failure = null
    tell(null)
  }

  async function sweep(): Promise<void> {
    if (followed === null) return
    const kept = new Set((await store.list()).map(({ id }) => id))
    for (const id of await listReleaseIds(releasesDir)) {
      if (!kept.has(id) && id !== followed) await rm(join(releasesDir, id), { recursive: true, force: true })
    }
  }

  function tell(reason: string | null): void {
    if (reason !== said) onProblem(reason)
    said = reason
  }

  return async () => {
    try {
      await look()
    } catch (error) {
      const id = known?.id ?? null
      const pauseMs = failure?.id === id ? Math.min(MAX_PAUSE_MS, failure.pauseMs * 2) : 1_000
      failure = { id, pauseMs, untilMs: elapsed() + pauseMs }
      known = undefined // read again: it may have been what was wrong
      tell(error instanceof Error ? error.message : String(error))
    }
  }
}
