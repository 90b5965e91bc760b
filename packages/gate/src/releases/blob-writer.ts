import { hash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildFile, openNoFollow } from './build-files.ts'
import { recipesFor } from './compression.ts'
import type { CompressionCache } from './compression-cache.ts'
import { isHashedAsset } from './content-types.ts'
import { copyDurably, holds, isErrno, linkDurably, writeDurably } from './durable-files.ts'
import { ENCODING_SUFFIXES, type Encoding, type ReleaseFile, type StoredBytes } from './manifest.ts'
import { readPage } from './page-contents.ts'
import type { Route } from './routes.ts'

/** Files above this that do not compress are copied piece by piece instead of being held in memory. */
const MAX_HELD_BYTES = 1024 * 1024
/** A file that so many pages load is worth the time of the hardest compression. */
const SHARED_BY_PAGES = 3

/** Puts the files of a build into the `files` folder of a release under construction. */
export interface BlobWriter {
  /**
   * Stores a file with every encoding that helps, and describes it for the manifest. What pages name is counted,
   * so pages come first: files that several of them load are compressed hardest.
   */
  store(route: Route): Promise<ReleaseFile>
}

export interface BlobWriterOptions {
  /** The release's `files` folder. */
  readonly folder: string
  readonly cache: CompressionCache
  /** `files` folder of the release before, whose equal files are shared; null when there is none. */
  readonly previous: string | null
}

/** Creates the writer; equal files are stored once. */
export function createBlobWriter({ folder, cache, previous }: BlobWriterOptions): BlobWriter {
  const stored = new Map<string, Promise<ReleaseFile['encodings']>>()
  const loadedBy = new Map<string, number>()

  async function storeHeld(bytes: Uint8Array, sha256: string, { kind, path }: Route) {
    await writePlain(bytes, sha256)
    const encodings: Partial<Record<Encoding, StoredBytes>> = {}
    if (!kind.compressible) return encodings
    for (const recipe of recipesFor(bytes.length, (loadedBy.get(path) ?? 0) >= SHARED_BY_PAGES)) {
      const cached = await cache.compressed(bytes, sha256, recipe)
      if (cached === null) continue
      await linkDurably(cached.file, join(folder, sha256 + ENCODING_SUFFIXES[recipe.encoding]))
      encodings[recipe.encoding] = { sha256: cached.sha256, bytes: cached.bytes }
    }
    return encodings
  }

  async function writePlain(bytes: Uint8Array, sha256: string): Promise<void> {
    const shared = previous === null ? null : join(previous, sha256)
    if (shared !== null && (await holds(shared, { sha256, bytes: bytes.length }))) {
      await linkDurably(shared, join(folder, sha256))
      return
    }
    await writeDurably(join(folder, sha256), bytes).catch((error: unknown) => {
      // An equal file of another kind was stored before; names are hashes, so it is the same bytes.
      if (!isErrno(error, 'EEXIST')) throw error
    })
  }

  async function storeLarge(route: Route): Promise<ReleaseFile> {
    const temporary = join(folder, `.copy-${hash('sha256', route.path)}`)
    const copied = await copyDurably(route.file, temporary)
    await rename(temporary, join(folder, copied.sha256))
    return { ...copied, ...describe(route), encodings: {} }
  }

  function inspectPage(bytes: Uint8Array): Pick<ReleaseFile, 'scriptHashes' | 'styleHashes'> {
    const { references, ...hashes } = readPage(new TextDecoder().decode(bytes))
    for (const path of references) loadedBy.set(path, (loadedBy.get(path) ?? 0) + 1)
    return hashes
  }

  return {
    async store(route) {
      const bytes = await readHeld(route)
      if (bytes === null) return storeLarge(route)
      const sha256 = hash('sha256', bytes)
      const encodings = stored.get(sha256) ?? storeHeld(bytes, sha256, route)
      stored.set(sha256, encodings)
      const inline = route.kind.delivery === 'page' ? inspectPage(bytes) : {}
      return { sha256, bytes: bytes.length, ...describe(route), encodings: await encodings, ...inline }
    },
  }
}

/** The bytes of a file, or null when it is so large that it is better copied. */
async function readHeld({ file, kind }: BuildFile & Pick<Route, 'kind'>): Promise<Uint8Array | null> {
  await using handle = await openNoFollow(file)
  const { size } = await handle.stat()
  const limit = kind.compressible ? 32 * MAX_HELD_BYTES : MAX_HELD_BYTES
  return size > limit ? null : handle.readFile()
}

function describe(route: Route): Pick<ReleaseFile, 'type' | 'delivery' | 'cache' | 'title'> {
  const cache = route.kind.delivery !== 'page' && isHashedAsset(route.path) ? 'immutable' : 'no-store'
  const { type, delivery } = route.kind
  return { type, delivery, cache, ...(route.title === undefined ? {} : { title: route.title }) }
}
