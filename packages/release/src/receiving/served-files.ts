import { timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { allStoredFiles, type Manifest, type StoredFile } from '../manifest.ts'
import { loadManifest, readPointer } from '../release-store.ts'
import { createProof, type Frame } from '../transfer/frames.ts'

const READ_BYTES = 256 * 1024

/** Files of the release that this machine serves, against which publishers of previews prove what they have. */
export interface ServedFiles {
  /** Tells if a release is served. */
  hasRelease(): Promise<boolean>
  /** True if a frame proves, by a hash with that key, that its sender has a file. */
  isProven(frame: Frame, key: string): Promise<boolean>
}

interface Served {
  readonly id: string
  readonly bySha256: ReadonlyMap<string, StoredFile>
}

/** @param inMemory the manifest that the gate serves, which is not read again where it is of the release that is pointed to */
export function openServedFiles(
  releasesDir: string,
  inMemory: () => Manifest | null | Promise<Manifest | null>,
): ServedFiles {
  let known: Served | null = null

  async function served(): Promise<Served | null> {
    const id = await readPointer(releasesDir).catch(() => null)
    if (id === null) return null
    if (known?.id !== id) known = await load(id).catch(() => null)
    return known
  }
  async function load(id: string): Promise<Served> {
    const atHand = await inMemory()
    const manifest = atHand?.id === id ? atHand : await loadManifest(releasesDir, id)
    return { id, bySha256: new Map([...allStoredFiles(manifest)].map((stored) => [stored.sha256, stored])) }
  }

  return {
    hasRelease: async () => (await served()) !== null,
    async isProven({ sha256, bytes, payload }, key) {
      const release = await served()
      const stored = release?.bySha256.get(sha256)
      if (release === null || stored?.bytes !== bytes) return false // of the first bytes alone there are proofs, too
      const file = join(releasesDir, release.id, stored.name)
      const proof = createProof(key)
      for await (const piece of createReadStream(file, { highWaterMark: READ_BYTES })) proof.update(piece)
      const right = proof.digest()
      return payload.length === right.length && timingSafeEqual(payload, right)
    },
  }
}
