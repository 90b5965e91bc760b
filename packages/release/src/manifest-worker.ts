import { parentPort, workerData } from 'node:worker_threads'
import { ReleaseError } from './errors.ts'
import { type Manifest, searchIndexes } from './manifest.ts'
import { readManifest } from './manifest-json.ts'
import type { ManifestRead, ManifestToRead } from './manifest-thread.ts'
import { readServable } from './packing/plan/servable-manifest.ts'
import { problemOf } from './texts/index.ts'

/** For each file or redirect: pages that a file is part of, hashes of its scripts, and all else that is listed. */
const LISTED_PER_ENTRY = 20

const { bytes, id, maxEntries }: ManifestToRead = workerData
parentPort?.postMessage(read())

function read(): ManifestRead {
  try {
    if (maxEntries === null) return { ok: true, manifest: readManifest(bytes, id) }
    const manifest = readServable(bytes, id)
    assertWithin(manifest, maxEntries)
    return { ok: true, manifest }
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    return { ok: false, code: error.code, problems: error.problems.map(String) }
  }
}

/** Counts what becomes an object in the memory of the gate. */
function assertWithin({ site, editions }: Manifest, maxEntries: number): void {
  let entries = 0
  let listed = editions.length + Object.keys(site.locales ?? {}).length
  for (const edition of editions) {
    entries += edition.files.size + edition.redirects.size
    listed += edition.audiences.length + searchIndexes(edition).length
    for (const { partOf = [], scriptHashes = [] } of edition.files.values())
      listed += partOf.length + scriptHashes.length
  }
  if (entries > maxEntries || listed > maxEntries * LISTED_PER_ENTRY)
    throw new ReleaseError('manifest_invalid', [problemOf('too_many_files', maxEntries)])
}
