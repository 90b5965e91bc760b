import { parentPort, workerData } from 'node:worker_threads'
import { findWidening } from './compare-editions.ts'
import { ReleaseError } from './errors.ts'
import { type Manifest, searchIndexes } from './manifest.ts'
import { readManifest } from './manifest-json.ts'
import type { ManifestsToCompare, ManifestToJudge, ThreadResult } from './manifest-thread.ts'
import { readServable } from './packing/plan/servable-manifest.ts'
import { problemOf } from './texts/index.ts'

/** For each file or redirect: pages that a file is part of, and hashes of its scripts. */
const LISTED_PER_ENTRY = 20
/** Editions, their audiences and labels, locales, and search indexes: a table of them crosses threads at many times the cost of a list. */
const MAX_NAMES = 10_000

const input: ManifestToJudge | ManifestsToCompare = workerData
parentPort?.postMessage('before' in input ? resultOf(() => compare(input)) : resultOf(() => judge(input)))

function resultOf<T>(run: () => T): ThreadResult<T> {
  try {
    return { ok: true, value: run() }
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    return { ok: false, code: error.code, problems: error.problems.map(String) }
  }
}

function compare({ before, after }: ManifestsToCompare): readonly string[] {
  return findWidening(readManifest(before.bytes, before.id), readManifest(after.bytes, after.id))
}

function judge({ bytes, id, maxEntries }: ManifestToJudge): null {
  assertWithin(readServable(bytes, id), maxEntries)
  return null
}

/** Counts what becomes an object in the memory of the gate. */
function assertWithin({ site, editions }: Manifest, maxEntries: number): void {
  let entries = 0
  let names = editions.length + Object.keys(site.locales ?? {}).length
  let listed = 0
  for (const edition of editions) {
    entries += edition.files.size + edition.redirects.size
    names += edition.audiences.length + (edition.labels?.size ?? 0) + searchIndexes(edition).length
    for (const { partOf = [], scriptHashes = [] } of edition.files.values())
      listed += partOf.length + scriptHashes.length
  }
  if (entries > maxEntries || listed > maxEntries * LISTED_PER_ENTRY)
    throw new ReleaseError('manifest_invalid', [problemOf('too_many_files', maxEntries)])
  if (names > MAX_NAMES) throw new ReleaseError('manifest_invalid', [problemOf('too_many_names', MAX_NAMES)])
}
