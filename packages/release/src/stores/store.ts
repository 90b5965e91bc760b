import type { StoredFile } from '../manifest.ts'
import { readReleaseId } from '../release-id.ts'

import type { UploadPlace } from './upload-place.ts'

/** Which release is to be served. */
export interface Pointer {
  /** Null when nothing was ever published, and when what is there is no release id. */
  readonly id: string | null
  /** What the store calls this state of the pointer; null only when nothing was ever published. Means nothing anywhere else. */
  readonly version: string | null
}

/** A release that a store holds whole. */
export interface KeptRelease {
  readonly id: string
  /** When it was packed, by its id; milliseconds since the epoch. */
  readonly createdAtMs: number
  /** When the pointer last moved away from it; absent where the store has no note of that. */
  readonly replacedAtMs?: number
}

/** The files of a release that is about to be made. */
export interface PutFiles {
  readonly all: readonly StoredFile[]
  readonly added: readonly StoredFile[]
}

/**
 * Where releases are published and where gates take them from: a folder, or a bucket. Whoever can write there is trusted to publish;
 * what comes out of it is still checked against the release's id by {@link fetchRelease} before anything is served.
 * Throws {@link ReleaseError} with the code `store_unavailable` or `store_refused` when the store cannot do it.
 */
export interface ReleaseStore {
  /** What to call it in a message; holds no credentials. */
  readonly place: string
  /** The folder of releases, where the store is one. */
  readonly folder?: string
  /** Where what is being sent waits until it is a release; nothing there is ever served. */
  readonly uploads: UploadPlace
  /** Newest first. */
  list(): Promise<readonly KeptRelease[]>
  /** Answers `known` itself when the pointer has not moved since, at the cost of a conditional request. */
  readPointer(known?: Pointer): Promise<Pointer>
  /** Compare-and-swap: makes `id` the release being served if the pointer is still `from`; false when somebody else moved it. */
  movePointer(id: string, from: Pointer): Promise<boolean>
  /** The bytes of `manifest.json`, unchecked; throws `release_missing` when there is no such release. */
  readManifest(id: string): Promise<Uint8Array>
  /** The bytes of one file of a release, unchecked. */
  openBlob(id: string, stored: StoredFile): Promise<ReadableStream<Uint8Array>>
  /**
   * Which of these the store does not have yet and {@link putBlob} or {@link putPieces} must bring before {@link putManifest}. A folder
   * sets aside for the release what it has, also of a `lender` on the same disk.
   */
  findMissing(id: string, files: readonly StoredFile[], lender?: ReleaseStore): Promise<readonly StoredFile[]>
  /** Puts the contents of a local file unless they are there; refused when the bytes are not the ones that `stored` names. */
  putBlob(id: string, stored: StoredFile, file: string): Promise<void>
  /** The same for a file that comes in pieces. */
  putPieces(id: string, stored: StoredFile, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void>
  /**
   * Makes a release of files that are all there.
   * @param known what the manifest lists, and which of that was put there since {@link findMissing}, for callers that know it
   */
  putManifest(id: string, bytes: Uint8Array, known?: PutFiles): Promise<void>
  /**
   * Which files of a release are gone, all of them where it is none any more: somebody may remove releases at any time. Ask before the
   * pointer is moved to one.
   */
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
