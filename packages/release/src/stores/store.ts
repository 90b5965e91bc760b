import type { StoredFile } from '../manifest.ts'
import { readReleaseId } from '../release-id.ts'

import type { UploadPlace } from './upload-place.ts'

/** The release to be served. */
export interface Pointer {
  /** Null when nothing was ever published, and when what is there is no release id. */
  readonly id: string | null
  /** The store's version of the pointer; null only before the first publication. Opaque. */
  readonly version: string | null
}

/** A release that a store holds whole. */
export interface KeptRelease {
  readonly id: string
  /** Time of packing, from its id; milliseconds since the epoch. */
  readonly createdAtMs: number
  /** Time at which the pointer last moved away from it; absent where the store has no record. */
  readonly replacedAtMs?: number
}

/** The files of a release that is about to be made. */
interface PutFiles {
  readonly all: readonly StoredFile[]
  readonly added: readonly StoredFile[]
}

/**
 * A place of releases, for publishers and gates: a folder, or a bucket. Write access means trust to publish; {@link fetchRelease} still
 * checks all against the release's id. Throws {@link ReleaseError} with the code `store_unavailable` or `store_refused`.
 */
export interface ReleaseStore {
  /** Name for messages; holds no credentials. */
  readonly place: string
  /** The folder of releases, where the store is one. */
  readonly folder?: string
  /** Place of incoming parts until they are a release; never served. */
  readonly uploads: UploadPlace
  /** Newest first. */
  list(): Promise<readonly KeptRelease[]>
  /** Answers `known` itself when the pointer has not moved since, at the cost of a conditional request. */
  readPointer(known?: Pointer): Promise<Pointer>
  /** Compare-and-swap: makes `id` the served release if the pointer is still `from`; false after a concurrent move. */
  movePointer(id: string, from: Pointer): Promise<boolean>
  /** The bytes of `manifest.json`, unchecked; throws `release_missing` when there is no such release. */
  readManifest(id: string): Promise<Uint8Array>
  /** The bytes of one file of a release, unchecked. */
  openBlob(id: string, stored: StoredFile): Promise<ReadableStream<Uint8Array>>
  /**
   * Files that {@link putBlob} or {@link putPieces} must bring before {@link putManifest}. A folder sets aside for the release those it
   * has, also from a `blobSource` on the same disk.
   */
  findMissing(
    id: string,
    files: readonly StoredFile[],
    blobSource?: ReleaseStore,
  ): Promise<readonly StoredFile[]>
  /** Puts the contents of a local file unless they are there; refused when the bytes are not the ones that `stored` names. */
  putBlob(id: string, stored: StoredFile, file: string): Promise<void>
  /** The same for a file that comes in pieces. */
  putPieces(id: string, stored: StoredFile, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void>
  /**
   * Makes a release of files that are all there.
   * @param known what the manifest lists, and which of that was put there since {@link findMissing}, for callers that know it
   */
  putManifest(id: string, bytes: Uint8Array, known?: PutFiles): Promise<void>
  /** Missing files of a release, all of them once it is none: releases can be removed at any time. Call it before the pointer moves. */
  findLost(id: string, files: readonly StoredFile[]): Promise<readonly StoredFile[]>
  /** Removes a release, and every file that no other release holds. The pointer must be elsewhere. */
  remove(id: string): Promise<void>
}

/** A kept release by its id. */
export function keptRelease(id: string): KeptRelease {
  return { id, createdAtMs: Date.parse(readReleaseId(id).createdAt) }
}

/** Runs `work` for each item, so many at a time; the first failure ends the rest. */
export async function forEachAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const next = items[Symbol.iterator]()
  let failed = false
  const run = async () => {
    for (let item = next.next(); item.done !== true && !failed; item = next.next()) {
      try {
        await work(item.value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}

/** The release that was published before one, which need not have been packed before it; undefined where none is kept. */
export function releaseBefore(
  kept: readonly Pick<KeptRelease, 'id' | 'replacedAtMs'>[],
  served: string | null,
): string | undefined {
  const untilMs = kept.find(({ id }) => id === served)?.replacedAtMs ?? Number.POSITIVE_INFINITY
  const replaced = kept
    .filter(({ id, replacedAtMs }) => id !== served && (replacedAtMs ?? untilMs) < untilMs)
    .sort((one, other) => (other.replacedAtMs ?? 0) - (one.replacedAtMs ?? 0))
  const packedBefore = ({ id }: { readonly id: string }) => served !== null && id < served
  return (replaced[0] ?? kept.find(packedBefore))?.id
}
