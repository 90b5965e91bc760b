import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ReleaseError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import { problemOf } from '../texts/index.ts'
import type { ManifestRead, ManifestToRead } from './manifest-worker.ts'

const WORKER = new URL('./manifest-worker.ts', import.meta.url)
const MAX_MS = 30_000
const MAX_REFUSED = 200
/** Heap of a worker: a base, and per byte of the manifest as much as its objects take with room to spare. */
const BASE_HEAP_MB = 192
const HEAP_PER_BYTE = 32

export type ManifestReader = ReturnType<typeof createManifestReader>

/**
 * Reads manifests of publishers in a worker, one at a time and each once: the event loop, its memory and other publishers are not at
 * the mercy of a manifest. Refusals are remembered by hash.
 */
export function createManifestReader() {
  const refused = new Map<string, ReleaseError>()
  let last: { readonly key: string; readonly manifest: Manifest } | null = null
  let queue: Promise<unknown> = Promise.resolve()

  async function read(key: string, input: ManifestToRead): Promise<Manifest> {
    const known = refused.get(key)
    if (known !== undefined) throw known
    if (last?.key === key) return last.manifest
    const result = await readInWorker(input)
    if (result.ok) {
      last = { key, manifest: result.manifest }
      return result.manifest
    }
    const refusal = new ReleaseError(result.code, result.problems)
    const [oldest] = refused.keys()
    if (refused.size >= MAX_REFUSED && oldest !== undefined) refused.delete(oldest)
    refused.set(key, refusal)
    throw refusal
  }

  return {
    /** Throws the remembered {@link ReleaseError} of a manifest that was refused before. */
    assertNotRefused(sha256: string, id: string, maxEntries: number): void {
      const known = refused.get(keyOf(sha256, id, maxEntries))
      if (known !== undefined) throw known
    },

    /** Resolves to the manifest. Throws {@link ReleaseError} when its release is not to be served. */
    read(sha256: string, input: ManifestToRead): Promise<Manifest> {
      const reading = queue.then(() => read(keyOf(sha256, input.id, input.maxEntries), input))
      queue = reading.catch(() => {})
      return reading
    },

    /** Releases the memory of the last manifest. */
    forget(): void {
      last = null
    },
  }
}

const keyOf = (...parts: readonly (string | number)[]): string => parts.join(' ')

async function readInWorker(input: ManifestToRead): Promise<ManifestRead> {
  const maxOldGenerationSizeMb = BASE_HEAP_MB + Math.ceil((input.bytes.byteLength * HEAP_PER_BYTE) / 1e6)
  const worker = new Worker(WORKER, { workerData: input, resourceLimits: { maxOldGenerationSizeMb } })
  try {
    const [result] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) })
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
