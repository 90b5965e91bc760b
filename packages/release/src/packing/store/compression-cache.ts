import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { holdsNow } from '../../durable-files.ts'
import type { StoredBytes } from '../../manifest.ts'
import { compress, type Recipe } from './compression.ts'

/** A file in the cache, ready to be linked into a release. */
interface CachedBytes extends StoredBytes {
  readonly file: string
}

/** Cache of derived files by the hash of their input: nothing is derived twice from an unchanged file. */
interface CompressionCache {
  /** Output of a maker for this key, cached or new; null where it makes nothing. */
  keep(key: string, maker: string, make: () => Uint8Array | null): CachedBytes | null
  /** The compressed bytes of `plain`, made now or earlier; null when compressing does not make them smaller. */
  compressed(plain: Uint8Array, sha256: string, recipe: Recipe): CachedBytes | null
  /** Number of files compressed since the cache was opened. */
  readonly made: () => number
}

/** `<key>-<sha256>-<bytes>`, or `<key>-none` where nothing comes of it, as when compressing saves nothing; of compressed files the key is the hash of the plain bytes. */
const ENTRY = /^([0-9a-f]{64})-(?:none|([0-9a-f]{64})-(\d+))$/

/**
 * Opens the cache below `folder`, one folder for each maker; several threads may share it. Entries are not synced one by
 * one: what a crash leaves of an entry does not fit its name, and is made again.
 */
export function openCompressionCache(folder: string): CompressionCache {
  const listings = new Map<string, Map<string, string>>()
  let made = 0
  const listing = (maker: string) => {
    const known = listings.get(maker) ?? list(join(folder, maker))
    listings.set(maker, known)
    return known
  }
  function keep(key: string, maker: string, make: () => Uint8Array | null): CachedBytes | null {
    const entries = listing(maker)
    const kept = take(join(folder, maker), entries.get(key))
    if (kept !== undefined) return kept
    const bytes = make()
    const digest = bytes === null ? '' : hash('sha256', bytes)
    const name = bytes === null ? `${key}-none` : `${key}-${digest}-${bytes.length}`
    const file = join(folder, maker, name)
    const temporary = join(folder, maker, `.tmp-${randomBytes(8).toString('hex')}`)
    writeFileSync(temporary, bytes ?? new Uint8Array(), { flag: 'wx' })
    renameSync(temporary, file)
    entries.set(key, name)
    return bytes === null ? null : { file, sha256: digest, bytes: bytes.length }
  }

  return {
    made: () => made,
    keep,
    compressed: (plain, sha256, recipe) =>
      keep(sha256, recipe.name, () => {
        made += 1
        return compress(plain, recipe)
      }),
  }
}

/** Forgets every entry of the cache below `folder` whose key is not in `wanted`, and what crashed packs left. */
export async function pruneCompressionCache(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const recipe of await readdir(folder).catch(() => [])) {
    for (const name of await readdir(join(folder, recipe))) {
      if (!wanted.has(name.slice(0, 64))) await rm(join(folder, recipe, name), { force: true })
    }
  }
}

function list(folder: string): Map<string, string> {
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(folder)
  return new Map(names.filter((name) => ENTRY.test(name)).map((name) => [name.slice(0, 64), name]))
}

/** Undefined when there is no entry or its bytes are no longer what the name says. */
function take(folder: string, name: string | undefined): CachedBytes | null | undefined {
  const match = name === undefined ? null : ENTRY.exec(name)
  if (match === null || name === undefined) return undefined
  if (match[2] === undefined) return null
  const entry = { file: join(folder, name), sha256: match[2], bytes: Number(match[3]) }
  return holdsNow(entry.file, entry) ? entry : undefined
}
