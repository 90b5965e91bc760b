import { ReleaseError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import { readManifestInTurns } from '../manifest-json.ts'
import { judgeManifest, type ManifestToJudge } from '../manifest-thread.ts'

const MAX_REFUSED = 200

export type ManifestReader = ReturnType<typeof createManifestReader>

/**
 * Reads manifests of publishers one at a time and each once, after a thread has judged it: the event loop, its memory and other publishers
 * are not at the mercy of a manifest. Refusals are remembered by hash.
 */
export function createManifestReader() {
  const refused = new Map<string, ReleaseError>()
  let last: { readonly key: string; readonly manifest: Manifest } | null = null
  let queue: Promise<unknown> = Promise.resolve()

  async function read(key: string, input: ManifestToJudge): Promise<Manifest> {
    const known = refused.get(key)
    if (known !== undefined) throw known
    if (last?.key === key) return last.manifest
    try {
      await judgeManifest(input)
    } catch (error) {
      if (error instanceof ReleaseError) refuse(key, error)
      throw error
    }
    const manifest = await readManifestInTurns(input.bytes, input.id)
    last = { key, manifest }
    return manifest
  }

  function refuse(key: string, refusal: ReleaseError): void {
    const [oldest] = refused.keys()
    if (refused.size >= MAX_REFUSED && oldest !== undefined) refused.delete(oldest)
    refused.set(key, refusal)
  }

  return {
    /** Throws the remembered {@link ReleaseError} of a manifest that was refused before. */
    assertNotRefused(sha256: string, id: string, maxEntries: number): void {
      const known = refused.get(keyOf(sha256, id, maxEntries))
      if (known !== undefined) throw known
    },

    /** Resolves to the manifest. Throws {@link ReleaseError} when its release is not to be served. */
    read(sha256: string, input: ManifestToJudge): Promise<Manifest> {
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
