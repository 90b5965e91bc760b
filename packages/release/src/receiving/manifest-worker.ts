import { parentPort, workerData } from 'node:worker_threads'
import { ReleaseError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import { readServable } from '../packing/plan/servable-manifest.ts'
import { problemOf } from '../texts/index.ts'

/** Input of a worker: a manifest of a publisher, and how many files and redirects it may list. */
export interface ManifestToRead {
  readonly bytes: Uint8Array
  readonly id: string
  readonly maxEntries: number
}

/** Result of a worker; problems are text, because messages do not cross threads. */
export type ManifestRead =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly code: ReleaseError['code']; readonly problems: readonly string[] }

const { bytes, id, maxEntries }: ManifestToRead = workerData
parentPort?.postMessage(read())

function read(): ManifestRead {
  try {
    const manifest = readServable(bytes, id)
    const entries = manifest.editions.reduce(
      (sum, { files, redirects }) => sum + files.size + redirects.size,
      0,
    )
    if (entries > maxEntries)
      throw new ReleaseError('manifest_invalid', [problemOf('too_many_files', maxEntries)])
    return { ok: true, manifest }
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    return { ok: false, code: error.code, problems: error.problems.map(String) }
  }
}
