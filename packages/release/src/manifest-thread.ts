import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { findWidening } from './compare-editions.ts'
import { ReleaseError } from './errors.ts'
import { readManifest } from './manifest-json.ts'
import { problemOf } from './texts/index.ts'

const WORKER = new URL('./manifest-worker.ts', import.meta.url)
/** A smaller manifest is read in some milliseconds, less than a thread takes to start. */
const MAX_HERE_BYTES = 256 * 1024
const MAX_MS = 30_000
/** Heap of a thread: a base, and per byte of the manifest as much as its objects take with room to spare. */
const BASE_HEAP_MB = 192
const HEAP_PER_BYTE = 32

/** The manifest of a stored release. */
interface StoredManifest {
  readonly bytes: Uint8Array
  readonly id: string
}

/** A publisher's manifest, and how much it may list. */
export interface ManifestToJudge extends StoredManifest {
  readonly maxEntries: number
}

/** Result of a thread; problems are text, because messages do not cross threads. */
export type ThreadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: ReleaseError['code']; readonly problems: readonly string[] }

/** A release, and the one that it would follow. */
export interface ManifestsToCompare {
  readonly before: StoredManifest
  readonly after: StoredManifest
}

/** Reads a publisher's manifest in a thread of bounded heap and time. Throws {@link ReleaseError} unless it may be served. */
export async function judgeManifest(input: ManifestToJudge): Promise<void> {
  readResult(await runThread<null>(input, input.bytes.byteLength, MAX_MS))
}

/** {@link findWidening}, whose time grows with files and editions, of stored manifests. Throws {@link ReleaseError}. */
export async function findStoredWidening(manifests: ManifestsToCompare): Promise<readonly string[]> {
  const { before, after } = manifests
  const bytes = before.bytes.byteLength + after.bytes.byteLength
  if (bytes > MAX_HERE_BYTES) return readResult(await runThread<readonly string[]>(manifests, bytes, null))
  return findWidening(readManifest(before.bytes, before.id), readManifest(after.bytes, after.id))
}

function readResult<T>(result: ThreadResult<T>): T {
  if (result.ok) return result.value
  throw new ReleaseError(result.code, result.problems)
}

async function runThread<T>(
  workerData: ManifestToJudge | ManifestsToCompare,
  bytes: number,
  maxMs: number | null,
): Promise<ThreadResult<T>> {
  const maxOldGenerationSizeMb = BASE_HEAP_MB + Math.ceil((bytes * HEAP_PER_BYTE) / 1e6)
  const worker = new Worker(WORKER, { workerData, resourceLimits: { maxOldGenerationSizeMb } })
  try {
    const within = maxMs === null ? {} : { signal: AbortSignal.timeout(maxMs) }
    const [result] = await once(worker, 'message', within)
    return result
  } catch (error) {
    const isTooMuch =
      error instanceof Error &&
      (error.name === 'AbortError' || Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY')
    if (!isTooMuch) throw error
    return { ok: false, code: 'manifest_invalid', problems: [String(problemOf('manifest_too_large'))] }
  } finally {
    await worker.terminate()
  }
}
