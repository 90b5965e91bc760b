import { hash } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compress, type Recipe } from './compression.ts'
import { holds, replaceDurably } from './durable-files.ts'
import type { StoredBytes } from './manifest.ts'

/** A compressed file in the cache, ready to be linked into a release. */
export interface CachedBytes extends StoredBytes {
  readonly file: string
}

/** Compressed files by the hash of the plain bytes, so that an unchanged file is never compressed twice. */
export interface CompressionCache {
  /** The compressed bytes of `plain`, made now or earlier; null when compressing does not make them smaller. */
  compressed(plain: Uint8Array, sha256: string, recipe: Recipe): Promise<CachedBytes | null>
  /** How many files had to be compressed since the cache was opened. */
  readonly made: () => number
  /** Forgets every file whose plain hash is not in `wanted`. */
  prune(wanted: ReadonlySet<string>): Promise<void>
}

/** `<plain sha256>-<encoded sha256>-<bytes>`, or `<plain sha256>-none` where compressing saves nothing. */
const ENTRY = /^([0-9a-f]{64})-(?:none|([0-9a-f]{64})-(\d+))$/

/** Opens the cache below `folder`, one folder per recipe. */
export function openCompressionCache(folder: string): CompressionCache {
  const listings = new Map<string, Promise<Map<string, string>>>()
  let made = 0
  const listing = (recipe: Recipe) => {
    const known = listings.get(recipe.name) ?? list(join(folder, recipe.name))
    listings.set(recipe.name, known)
    return known
  }

  return {
    made: () => made,
    async compressed(plain, sha256, recipe) {
      const entries = await listing(recipe)
      const kept = await take(join(folder, recipe.name), entries.get(sha256))
      if (kept !== undefined) return kept
      made += 1
      const bytes = await compress(plain, recipe)
      const digest = bytes === null ? '' : hash('sha256', bytes)
      const name = bytes === null ? `${sha256}-none` : `${sha256}-${digest}-${bytes.length}`
      const file = join(folder, recipe.name, name)
      await replaceDurably(file, bytes ?? new Uint8Array())
      entries.set(sha256, name)
      return bytes === null ? null : { file, sha256: digest, bytes: bytes.length }
    },
    async prune(wanted) {
      for (const recipe of await readdir(folder).catch(() => [])) {
        for (const name of await readdir(join(folder, recipe))) {
          if (!wanted.has(name.slice(0, 64))) await rm(join(folder, recipe, name), { force: true })
        }
      }
    },
  }
}

async function list(folder: string): Promise<Map<string, string>> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  return new Map(names.filter((name) => ENTRY.test(name)).map((name) => [name.slice(0, 64), name]))
}

/** Undefined when there is no entry or its bytes are no longer what the name says. */
async function take(folder: string, name: string | undefined): Promise<CachedBytes | null | undefined> {
  const match = name === undefined ? null : ENTRY.exec(name)
  if (match === null || name === undefined) return undefined
  if (match[2] === undefined) return null
  const entry = { file: join(folder, name), sha256: match[2], bytes: Number(match[3]) }
  return (await holds(entry.file, entry)) ? entry : undefined
}
