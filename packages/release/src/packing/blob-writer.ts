import { createHash, hash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { holdsNow, isErrno, linkStored } from '../durable-files.ts'
import { ENCODING_SUFFIXES, type Encoding, type ReleaseFile, type StoredBytes } from '../manifest.ts'
import { openNoFollowNow } from './build-files.ts'
import { recipesFor } from './compression.ts'
import { openCompressionCache } from './compression-cache.ts'
import { mayBeKept } from './content-types.ts'
import { type PageContents, readPage } from './page-contents.ts'
import type { Route } from './plan-routes.ts'
import { type Refusal, readStyleSheet } from './refusals.ts'

/** Files above this that do not compress are copied piece by piece instead of being held in memory. */
const MAX_HELD_BYTES = 1024 * 1024
const PIECE_BYTES = 1 << 18

/** A file of the build, and whether several pages load it: then it is worth the time of the hardest compression. */
export interface RouteToStore extends Route {
  readonly isShared: boolean
}

/** A file as the manifest describes it, and what was learnt on the way. */
export interface StoredRoute {
  readonly path: string
  readonly file: ReleaseFile
  /** Paths of the assets that a page names. */
  readonly references: readonly string[]
  /** What the content policy keeps from a page or a style sheet. */
  readonly refused: readonly Refusal[]
  /** How many of its encodings were not in the cache. */
  readonly compressed: number
}

/** Puts the files of a build into the `files` folder of a release under construction. */
export interface BlobWriter {
  /** Stores a file with every encoding that helps, on the calling thread. Nothing is synced. */
  store(route: RouteToStore): StoredRoute
}

/** Folders, as text: options go to threads. */
export interface BlobWriterOptions {
  /** The release's `files` folder. */
  readonly folder: string
  /** Folder of the compression cache. */
  readonly cacheFolder: string
  /** `files` folder of the release before, whose equal files are shared; null when there is none. */
  readonly previous: string | null
}

/** Creates the writer. Several may write into one folder: names are hashes, so what two of them write is the same. */
export function createBlobWriter({ folder, cacheFolder, previous }: BlobWriterOptions): BlobWriter {
  const cache = openCompressionCache(cacheFolder)

  function storeHeld(bytes: Uint8Array, sha256: string, { kind, isShared }: RouteToStore) {
    writePlain(bytes, sha256)
    const encodings: Partial<Record<Encoding, StoredBytes>> = {}
    for (const recipe of kind.compressible ? recipesFor(bytes.length, isShared) : []) {
      const cached = cache.compressed(bytes, sha256, recipe)
      if (cached === null) continue
      linkStored(cached.file, join(folder, sha256 + ENCODING_SUFFIXES[recipe.encoding]))
      encodings[recipe.encoding] = { sha256: cached.sha256, bytes: cached.bytes }
    }
    return encodings
  }

  function writePlain(bytes: Uint8Array, sha256: string): void {
    const target = join(folder, sha256)
    const shared = previous === null ? null : join(previous, sha256)
    if (shared !== null && holdsNow(shared, { sha256, bytes: bytes.length })) linkStored(shared, target)
    else writeNew(target, bytes)
  }

  function storeLarge(route: RouteToStore, descriptor: number): ReleaseFile {
    const temporary = join(folder, `.copy-${hash('sha256', route.path)}`)
    const copied = copyPieces(descriptor, temporary)
    renameSync(temporary, join(folder, copied.sha256))
    return { ...copied, ...describe(route), encodings: {} }
  }

  return {
    store(route) {
      const { path } = route
      const descriptor = openNoFollowNow(route.file)
      try {
        if (isLarge(route, descriptor))
          return { path, file: storeLarge(route, descriptor), references: [], refused: [], compressed: 0 }
        const bytes = readFileSync(descriptor)
        const sha256 = hash('sha256', bytes)
        const before = cache.made()
        const encodings = storeHeld(bytes, sha256, route)
        const { references = [], refused = [], ...inline } = readContents(route, bytes)
        const file = { sha256, bytes: bytes.length, ...describe(route), encodings, ...inline }
        return { path, file, references, refused, compressed: cache.made() - before }
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

function readContents({ kind }: Route, bytes: Uint8Array): Partial<PageContents> {
  if (kind.delivery === 'page') return readPage(decode(bytes))
  return kind.type.startsWith('text/css') ? { refused: readStyleSheet(decode(bytes)) } : {}
}

/** Equal files are written once. */
function writeNew(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o644 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

function isLarge({ kind }: Route, descriptor: number): boolean {
  return fstatSync(descriptor).size > (kind.compressible ? 32 * MAX_HELD_BYTES : MAX_HELD_BYTES)
}

/** Copies a file of any size, hashing what it writes. */
function copyPieces(source: number, to: string): StoredBytes {
  const digest = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const target = openSync(to, 'w', 0o644)
  let bytes = 0
  try {
    for (let read = readSync(source, piece); read > 0; read = readSync(source, piece)) {
      digest.update(piece.subarray(0, read))
      for (let at = 0; at < read; ) at += writeSync(target, piece, at, read - at)
      bytes += read
    }
  } finally {
    closeSync(target)
  }
  return { sha256: digest.digest('hex'), bytes }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function describe(route: Route): Pick<ReleaseFile, 'type' | 'delivery' | 'cache' | 'title'> {
  const { type, delivery } = route.kind
  const cache = mayBeKept(route.path, delivery) ? 'immutable' : 'no-store'
  return { type, delivery, cache, ...(route.title === undefined ? {} : { title: route.title }) }
}
