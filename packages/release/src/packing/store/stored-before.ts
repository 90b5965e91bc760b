import { hash } from 'node:crypto'
import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { openNoFollowNow } from '../build/build-files.ts'
import type { RouteToStore, StoredRoute } from './blob-writer.ts'

/** Index of stored files: a further edition reuses those with the same bytes, path and description. */
export interface StoredBefore {
  /** Notes what was stored of an edition's routes. */
  note(routes: readonly RouteToStore[], stored: readonly StoredRoute[]): void
  /** Stored entries of the same file, Markdown included; null where it must be stored. */
  find(route: RouteToStore): readonly StoredRoute[] | null
}

/** Larger files are few, and written piece by piece. */
const MAX_HELD_BYTES = 32 * 1024 * 1024

/** Starts with nothing. */
export function createStoredBefore(): StoredBefore {
  const routes = new Map<string, string>()
  const stored = new Map<string, StoredRoute>()
  return {
    note(of, made) {
      for (const route of of) routes.set(route.path, descriptionOf(route))
      for (const one of made) stored.set(one.path, one)
    },
    find(route) {
      if (routes.get(route.path) !== descriptionOf(route)) return null
      const paths = [route.path, ...(route.markdown === undefined ? [] : [route.markdown])]
      const known = paths.flatMap((path) => stored.get(path) ?? [])
      const [own] = known
      return own !== undefined && known.length === paths.length && holds(route.file, own)
        ? known.map((one) => ({ ...one, compressed: 0 }))
        : null
    },
  }
}

/** All that storing a file depends on beside its bytes. */
const descriptionOf = ({ name, path, kind, title, markdown, isShared }: RouteToStore): string =>
  JSON.stringify([name, path, kind, title ?? null, markdown ?? null, isShared])

function holds(name: string, { file: { bytes, sha256 } }: StoredRoute): boolean {
  const descriptor = openNoFollowNow(name)
  try {
    const { size } = fstatSync(descriptor)
    return size === bytes && size <= MAX_HELD_BYTES && hash('sha256', readFileSync(descriptor)) === sha256
  } finally {
    closeSync(descriptor)
  }
}
