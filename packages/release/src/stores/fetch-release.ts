import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyChecked, holds, linkStored, syncFiles, writeDurably } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { allStoredFiles, BLOBS, type StoredFile } from '../manifest.ts'
import { readManifest } from '../manifest-json.ts'
import { adoptRelease, listReleaseIds, loadManifest } from '../release-store.ts'
import { forEachAtOnce, type ReleaseStore } from './store.ts'

const AT_ONCE = 8
const ATTEMPTS = 3
const FETCHING = '.tmp-fetch-'

/**
 * Copies a release into a local folder: only what no release there has, each byte checked against the manifest and the manifest
 * against the id. The folder gets its name once everything is on the disk; what a failure leaves is used by the next attempt.
 */
export async function fetchRelease(id: string, releasesDir: string, store: ReleaseStore): Promise<void> {
  const bytes = await store.readManifest(id)
  const files = [...allStoredFiles(readManifest(bytes, id))]
  const folder = join(releasesDir, FETCHING + id)
  await forgetOthers(releasesDir, FETCHING + id)
  await mkdir(join(folder, BLOBS), { recursive: true })
  const known = await indexKept(releasesDir, id)
  await forEachAtOnce(files, AT_ONCE, async (stored) => {
    const target = join(folder, stored.name)
    if (await holds(target, stored)) return
    await rm(target, { force: true })
    const kept = known.get(stored.sha256)
    if (kept !== undefined && (await holds(kept, stored))) linkStored(kept, target)
    else await fetchBlob(id, stored, target, store)
  })
  await syncFiles(join(folder, BLOBS))
  await rm(join(folder, 'manifest.json'), { force: true })
  await writeDurably(join(folder, 'manifest.json'), bytes)
  await rm(join(releasesDir, id), { recursive: true, force: true }) // it would not have been fetched if it were whole
  await adoptRelease(releasesDir, folder, id)
}

/** Where the kept releases have which bytes. */
async function indexKept(releasesDir: string, wanted: string): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>()
  for (const id of await listReleaseIds(releasesDir)) {
    const manifest = id === wanted ? null : await loadManifest(releasesDir, id).catch(() => null)
    for (const { sha256, name } of manifest === null ? [] : allStoredFiles(manifest)) {
      if (!known.has(sha256)) known.set(sha256, join(releasesDir, id, name))
    }
  }
  return known
}

async function fetchBlob(id: string, stored: StoredFile, target: string, store: ReleaseStore): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await copyChecked(await store.openBlob(id, stored), stored, target)
    } catch (error) {
      const isRefusal = error instanceof ReleaseError && error.code !== 'manifest_mismatch'
      if (attempt < ATTEMPTS && !isRefusal) continue
      if (error instanceof ReleaseError || isOwnDisk(error)) throw error
      throw new ReleaseError('store_unavailable', [
        `${store.place} broke off while ${stored.sha256} was fetched`,
      ])
    }
  }
}

/** A fault of the file system names the call that failed; `fetch` has words of its own for a connection that breaks. */
function isOwnDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Only one release is fetched at a time; the parts of others are of attempts that nobody wants any more. */
async function forgetOthers(releasesDir: string, wanted: string): Promise<void> {
  for (const name of await readdir(releasesDir).catch(() => [])) {
    if (!name.startsWith(FETCHING) || name === wanted) continue
    await rm(join(releasesDir, name), { recursive: true, force: true })
  }
}
