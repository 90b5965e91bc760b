import { MAX_PROBLEMS, quoteName } from '@sekisho/contract/json-shape'
import type { Message } from '@sekisho/contract/language'
import { ReleaseError } from '../../errors.ts'
import type { Manifest } from '../../manifest.ts'
import { readManifest } from '../../manifest-json.ts'
import { problemOf } from '../../texts/index.ts'
import { mayBeKept, mayDeliver } from '../build/content-types.ts'

/** A compressed file is unpacked to be compared; packing makes none of a larger one. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

/**
 * Reads the manifest of a release about to be served: in the packer before the pointer moves, in a gate before receiving. Throws {@link
 * ReleaseError} with every problem.
 */
export function readServable(bytes: Uint8Array, id: string): Manifest {
  const manifest = readManifest(bytes, id)
  const problems = findProblems(manifest)
  if (problems.length > 0) throw new ReleaseError('manifest_invalid', problems)
  return manifest
}

function findProblems({ editions }: Manifest): Message[] {
  const problems: Message[] = []
  for (const { files } of editions) {
    for (const [path, { type, delivery, cache, encodings, bytes: plain }] of files) {
      if (problems.length >= MAX_PROBLEMS) return problems
      if (!mayDeliver(type, delivery))
        problems.push(problemOf('bad_delivery', quoteName(path), type, delivery))
      if (Object.keys(encodings).length > 0 && plain > MAX_UNPACKED_BYTES)
        problems.push(problemOf('too_large_to_compress', quoteName(path)))
      for (const [encoding, { bytes: packed }] of Object.entries(encodings))
        if (packed >= plain) problems.push(problemOf('no_smaller', quoteName(path), encoding))
      if (cache === 'immutable' && !mayBeKept(path, delivery))
        problems.push(problemOf('cache_forbidden', quoteName(path)))
    }
  }
  return problems
}
