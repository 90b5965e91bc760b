import { statSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { copyChecked, holds, linkStored, syncFiles, writeDurably } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { allStoredFiles, BLOBS, type StoredFile } from '../manifest.ts'
import { readManifestInTurns } from '../manifest-json.ts'
import { adoptRelease, listReleaseIds, loadManifest } from '../release-store.ts'
import { problemOf } from '../texts/index.ts'
import { forEachAtOnce, type ReleaseStore } from './store.ts'

const AT_ONCE = 8
const ATTEMPTS = 3
/** Manifests of large sites take a while to read; what these do not have is fetched. */
const OWN_LOOKS = 3
/** So many files are linked before requests get their turn. */
const FILES_A_TURN = 200
const FETCHING = '.tmp-fetch-'

export interface FetchOptions {
  readonly store: ReleaseStore
  /** Folder of the copies. */
  readonly releasesDir: string
  /** A folder of other copies, whose files need not be fetched again. */
  readonly blobSourceDir?: string
}

/**
 * Copies a release into a local folder, only files that recent ones there lack. Each fetched byte is checked against the manifest, the
 * manifest against the id. The folder gets its name once all is on the disk; a retry continues after failures.
 */
export async function fetchRelease(id: string, options: FetchOptions): Promise<void> {
  const { store, releasesDir } = options
  const bytes = await store.readManifest(id)
  const files = [...allStoredFiles(await readManifestInTurns(bytes, id))]
  const folder = join(releasesDir, FETCHING + id)
  await forgetOthers(releasesDir, FETCHING + id)
  await mkdir(join(folder, BLOBS), { recursive: true })
  const absent = await linkKept(await findAbsent(folder, files), folder, await findKept(id, options))
  await forEachAtOnce(absent, AT_ONCE, (stored) => fetchBlob(id, stored, join(folder, stored.name), store))
  await syncFiles(join(folder, BLOBS))
  await rm(join(folder, 'manifest.json'), { force: true })
  await writeDurably(join(folder, 'manifest.json'), bytes)
  await rm(join(releasesDir, id), { recursive: true, force: true }) // it would not have been fetched if it were whole
  await adoptRelease(releasesDir, folder, id)
}

/** Files that an earlier attempt did not fetch whole. */
async function findAbsent(folder: string, files: readonly StoredFile[]): Promise<readonly StoredFile[]> {
  const names = new Set(await readdir(join(folder, BLOBS)))
  const absent: StoredFile[] = []
  for (const stored of files) {
    const target = join(folder, stored.name)
    if (names.has(basename(stored.name))) {
      if (await holds(target, stored)) continue
      await rm(target, { force: true })
    }
    absent.push(stored)
  }
  return absent
}

/** Recent releases on this machine: an edit has almost everything of the one before it. */
async function findKept(
  wanted: string,
  { releasesDir, blobSourceDir }: FetchOptions,
): Promise<readonly string[]> {
  const foldersIn = async (dir: string, count: number) => {
    const ids = (await listReleaseIds(dir)).filter((id) => id !== wanted || dir === blobSourceDir)
    return ids.slice(0, count).map((id) => join(dir, id))
  }
  const own = await foldersIn(releasesDir, OWN_LOOKS)
  return blobSourceDir === undefined ? own : [...own, ...(await foldersIn(blobSourceDir, 1))]
}

/**
 * Links what they have, and returns the rest. Their bytes were checked when they were fetched, and readers of blobs notice damage: reading
 * all of a large site again would take longer than everything else.
 */
async function linkKept(
  files: readonly StoredFile[],
  folder: string,
  releases: readonly string[],
): Promise<readonly StoredFile[]> {
  let absent = files
  for (const release of releases) {
    if (absent.length === 0) break
    const manifest = await loadManifest(dirname(release), basename(release)).catch(() => null)
    const known = new Map(
      manifest === null ? [] : [...allStoredFiles(manifest)].map(({ sha256, name }) => [sha256, name]),
    )
    const left: StoredFile[] = []
    for (const [index, stored] of absent.entries()) {
      if (index % FILES_A_TURN === 0) await nextTurn()
      const name = known.get(stored.sha256)
      const kept = name === undefined ? null : join(release, name)
      const size = kept === null ? undefined : statSync(kept, { throwIfNoEntry: false })?.size
      if (kept !== null && size === stored.bytes) linkStored(kept, join(folder, stored.name))
      else left.push(stored)
    }
    absent = left
  }
  return absent
}

async function fetchBlob(id: string, stored: StoredFile, target: string, store: ReleaseStore): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await copyChecked(await store.openBlob(id, stored), stored, target)
    } catch (error) {
      const isRefusal = error instanceof ReleaseError && error.code !== 'manifest_mismatch'
      if (attempt < ATTEMPTS && !isRefusal) continue
      if (error instanceof ReleaseError || isOwnDisk(error)) throw error
      throw new ReleaseError('store_unavailable', [problemOf('broke_off', store.place, stored.sha256)])
    }
  }
}

/** A fault of the file system names the call that failed; `fetch` has words of its own for a connection that breaks. */
function isOwnDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Removes parts of other releases: only one is fetched at a time. */
async function forgetOthers(releasesDir: string, wanted: string): Promise<void> {
  for (const name of await readdir(releasesDir).catch(() => [])) {
    if (!name.startsWith(FETCHING) || name === wanted) continue
    await rm(join(releasesDir, name), { recursive: true, force: true })
  }
}
