import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from '../errors.ts'
import { allStoredFiles } from '../manifest.ts'
import { readManifest } from '../manifest-json.ts'
import { problemOf } from '../texts/index.ts'
import { forEachAtOnce, type Pointer, type ReleaseStore } from './store.ts'

const AT_ONCE = 8

export interface Publication {
  /** False after a concurrent move of the pointer: the release is kept there, and not served. */
  readonly served: boolean
  /** Files that the store did not have. */
  readonly sent: number
}

/**
 * Publishes a release of a local folder: missing files, then its manifest, then the pointer by compare-and-swap.
 * @param from the pointer as it was before the release was made
 */
export async function publishRelease(
  { releasesDir, id, from }: { readonly releasesDir: string; readonly id: string; readonly from: Pointer },
  store: ReleaseStore,
): Promise<Publication> {
  const bytes = await readFile(join(releasesDir, id, 'manifest.json'))
  const files = [...allStoredFiles(readManifest(bytes, id))]
  const missing = await store.findMissing(id, files)
  await forEachAtOnce(missing, AT_ONCE, (stored) =>
    store.putBlob(id, stored, join(releasesDir, id, stored.name)),
  )
  await store.putManifest(id, bytes)
  const [lost] = await store.findLost(id, files)
  if (lost !== undefined)
    throw new ReleaseError('release_missing', [problemOf('file_removed_meanwhile', lost.name)])
  return { served: await store.movePointer(id, from), sent: missing.length }
}
