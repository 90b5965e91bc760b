import type { KeptRelease, ReleaseStore } from './store.ts'

/** Earlier releases kept beside the served one, for tabs opened before the last publication. */
export interface Retention {
  /** Time to keep a release after its replacement. */
  readonly keepMs: number
  /** At most so many, the one being served included; the oldest go first. */
  readonly maxReleases: number
}

export const DEFAULT_RETENTION: Retention = {
  keepMs: 30 * 24 * 60 * 60 * 1_000,
  maxReleases: Number.POSITIVE_INFINITY,
}

/**
 * The ids of `kept` (newest first) to delete. Without a record, the next newer release counts as the replacement; the newest of all, rolled
 * back from, stays.
 */
function listExpired(
  kept: readonly KeptRelease[],
  currentId: string | null,
  { keepMs, maxReleases }: Retention,
  nowMs: number,
): string[] {
  const isExpired = ({ replacedAtMs }: KeptRelease, index: number) => {
    const endedAtMs = replacedAtMs ?? kept[index - 1]?.createdAtMs ?? nowMs
    return nowMs - endedAtMs > keepMs
  }
  const old = new Set(kept.filter(isExpired).map(({ id }) => id))
  const others = kept.filter(({ id }) => id !== currentId)
  return others.filter(({ id }, index) => old.has(id) || index >= maxReleases - 1).map(({ id }) => id)
}

/** Removes from a store what is kept no longer; returns the ids. */
export async function pruneStore(
  store: ReleaseStore,
  retention: Retention,
  nowMs: number,
): Promise<string[]> {
  const { id: currentId } = await store.readPointer()
  const expired = listExpired(await store.list(), currentId, retention, nowMs)
  for (const id of expired) await store.remove(id)
  return expired
}
