import { hash } from 'node:crypto'
import { ReleaseError } from '../errors.ts'
import {
  allStoredFiles,
  type Encoding,
  encodedFiles,
  type Manifest,
  type StoredBytes,
  type StoredFile,
} from '../manifest.ts'
import { forEachAtOnce, type ReleaseStore } from '../stores/store.ts'
import { problemOf } from '../texts/index.ts'
import type { ManifestReader } from './manifest-reader.ts'
import { unpacksTo } from './unpacks-to.ts'
import { type Arrived, forgetParts, isWhole, listArrived, listProven, readParts } from './waiting-parts.ts'

const AT_ONCE = 8

/** Limits of a manifest, by its publisher's role. */
interface ManifestLimits {
  readonly maxBytes: number
  /** Files and redirects of all editions. */
  readonly maxEntries: number
}

/** For publishers of previews alone; for others it is a setting. */
export const PREVIEW_LIMITS: ManifestLimits = { maxBytes: 8 * 1024 * 1024, maxEntries: 10_000 }

/** A release on its way: its manifest is whole, and what it says may be served. */
export interface IncomingRelease {
  readonly id: string
  readonly manifest: Manifest
  readonly manifestBytes: Uint8Array
  readonly files: readonly StoredFile[]
}

/** Identity of a sender's manifest. */
type ManifestName = StoredBytes & { readonly id: string }

export interface ReceivingPlace {
  /** Destination of the release. */
  readonly store: ReleaseStore
  /** Place of its parts until it is whole. */
  readonly uploads: ReleaseStore['uploads']
  /** Another store whose files need not be sent again; null where there is none. */
  readonly blobSource: BlobSource | null
}

interface BlobSource {
  readonly store: ReleaseStore
  /** Publishers that it reuses files for: those who may know its hashes anyway, or who proved possession (see `createProof`). */
  readonly reuses: 'named' | 'proven'
}

/** Reads the manifest that was sent; null until it is whole. Throws {@link ReleaseError} for one whose release is not to be served. */
export async function readIncoming(
  { uploads }: Pick<ReceivingPlace, 'uploads'>,
  name: ManifestName,
  { maxBytes, maxEntries }: ManifestLimits,
  manifests: ManifestReader,
): Promise<IncomingRelease | null> {
  if (name.bytes > maxBytes) throw new ReleaseError('manifest_invalid', [problemOf('manifest_too_large')])
  manifests.assertNotRefused(name.sha256, name.id, maxEntries)
  if (!isWhole(name, await listArrived(uploads, name.sha256))) return null
  const pieces: Uint8Array[] = []
  for await (const piece of readParts(uploads, name)) pieces.push(piece)
  const manifestBytes = Buffer.concat(pieces)
  if (hash('sha256', manifestBytes) !== name.sha256) {
    await forgetParts(uploads, name)
    throw new ReleaseError('manifest_mismatch', [problemOf('manifest_hash_mismatch')])
  }
  const manifest = await manifests.read(name.sha256, { bytes: manifestBytes, id: name.id, maxEntries })
  return { id: name.id, manifest, manifestBytes, files: [...allStoredFiles(manifest)] }
}

interface Unsent {
  /** Files that are not where the release will be. */
  readonly missing: readonly StoredFile[]
  /** Those of them that have not arrived whole. */
  readonly unsent: readonly StoredFile[]
  readonly arrived: Arrived
}

/** Finds the files that must be sent, and the parts of them that have arrived. */
export async function findUnsent(place: ReceivingPlace, { id, files }: IncomingRelease): Promise<Unsent> {
  const missing = await findMissing(place, id, files)
  const arrived = await listArrived(place.uploads)
  return { missing, unsent: missing.filter((stored) => !isWhole(stored, arrived)), arrived }
}

/** Also takes from the blobSource what that has and reuses. */
async function findMissing(
  { store, blobSource, uploads }: ReceivingPlace,
  id: string,
  files: readonly StoredFile[],
): Promise<readonly StoredFile[]> {
  const missing = await store.findMissing(id, files)
  if (blobSource === null || missing.length === 0) return missing
  const proven = blobSource.reuses === 'named' ? null : await listProven(uploads)
  const wanted = missing.filter(({ sha256 }) => proven?.has(sha256) ?? true)
  const lent = new Set(await borrow(store, blobSource.store, id, wanted))
  return missing.filter((stored) => !lent.has(stored))
}

/** Takes files from a store that has them, by links where both are folders, else by copying; returns those. */
async function borrow(
  store: ReleaseStore,
  blobSource: ReleaseStore,
  id: string,
  files: readonly StoredFile[],
): Promise<readonly StoredFile[]> {
  if (blobSource.folder !== undefined) {
    const left = new Set(await store.findMissing(id, files, blobSource))
    return files.filter((stored) => !left.has(stored))
  }
  const { id: from } = await blobSource.readPointer()
  if (from === null || files.length === 0) return []
  const lacks = new Set(await blobSource.findMissing(from, files))
  const lent = files.filter((stored) => !lacks.has(stored))
  await forEachAtOnce(lent, AT_ONCE, async (stored) =>
    store.putPieces(id, stored, copies(await blobSource.openBlob(from, stored))),
  )
  return lent
}

async function* copies(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of stream) yield new Uint8Array(chunk)
}

/** Files absent from the destination now, and those absent at planning. */
export interface MissingFiles {
  readonly missing: readonly StoredFile[]
  readonly atFirst: readonly StoredFile[]
}

/** `unsent`: files have to be sent. `later`: only time was missing, for these. */
type Settled =
  | { readonly state: 'whole' | 'unsent' }
  | { readonly state: 'later'; readonly left: readonly StoredFile[] }

/**
 * Moves complete files to the release for a limited time, and makes it a release once none is missing. Throws {@link ReleaseError} for
 * bytes with a wrong hash, which it deletes.
 * @param known files missing a moment ago, where nothing else writes
 */
export async function settleRelease(
  place: ReceivingPlace,
  release: IncomingRelease,
  isInTime: () => boolean,
  known?: MissingFiles,
): Promise<Settled> {
  const { store, uploads } = place
  const missing = known?.missing ?? (await findMissing(place, release.id, release.files))
  const arrived = await listArrived(uploads)
  if (missing.some((stored) => !isWhole(stored, arrived))) return { state: 'unsent' }
  const packed = packedFiles(release.manifest)
  const left: StoredFile[] = []
  await forEachAtOnce(missing, AT_ONCE, async (stored) => {
    if (left.length > 0 || !isInTime()) {
      left.push(stored)
      return
    }
    try {
      const of = packed.get(stored.name)
      if (of !== undefined) await assertUnpacks(uploads, stored, of)
      await store.putPieces(release.id, stored, readParts(uploads, stored))
    } catch (error) {
      await forgetParts(uploads, stored)
      throw error
    }
  })
  if (left.length > 0) return { state: 'later', left }
  await store.putManifest(release.id, release.manifestBytes, {
    all: release.files,
    added: known?.atFirst ?? release.files, // what an attempt before this one put there may not be on the disk yet
  })
  const waited = release.files.filter(({ sha256 }) => arrived.has(sha256))
  await forEachAtOnce(waited, AT_ONCE, (stored) => forgetParts(uploads, stored))
  return { state: 'whole' }
}

interface Packed {
  readonly encoding: Encoding
  readonly plain: StoredBytes
}

/** Compressed files by their names, with what they must unpack to. */
function packedFiles({ editions }: Manifest): ReadonlyMap<string, Packed> {
  const packed = new Map<string, Packed>()
  for (const { files } of editions) {
    for (const file of files.values()) {
      for (const { name, encoding } of encodedFiles(file)) packed.set(name, { encoding, plain: file })
    }
  }
  return packed
}

/** Else a reader's browser would decide by its Accept-Encoding what the reader is shown. */
async function assertUnpacks(
  uploads: ReleaseStore['uploads'],
  stored: StoredFile,
  { encoding, plain }: Packed,
): Promise<void> {
  if (await unpacksTo(plain, encoding, readParts(uploads, stored))) return
  throw new ReleaseError('manifest_mismatch', [problemOf('unpacks_to_other', stored.name)])
}
