import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RELEASES_FOLDER } from '@sekisho/contract/publishing'
import { holds, isErrno, replaceDurably, syncFolder } from './durable-files.ts'
import { ReleaseError } from './errors.ts'
import { allStoredFiles, BLOBS, type Manifest } from './manifest.ts'
import { PIECE_BYTES, readManifestInTurns } from './manifest-json.ts'
import { isReleaseId } from './release-id.ts'
import { problemOf } from './texts/index.ts'

/** Name of the file that holds the id of the release being served. */
const POINTER = 'current'
/** Largest manifest that is read; a release of 20,000 pages takes about 30 MB. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
/** Name of the file in a release that says when another one took its place. */
const REPLACED = 'replaced'
const TEMPORARY = '.tmp-'
const STALE_MS = 60 * 60 * 1000

/** Folder of the releases below a data folder. */
export function releasesDirOf(dataDir: string): string {
  return join(dataDir, RELEASES_FOLDER)
}

/** The id in `current`, or null when nothing was ever published. Throws when the file holds anything else. */
export async function readPointer(releasesDir: string): Promise<string | null> {
  const text = await readFile(join(releasesDir, POINTER), 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  })
  if (text === null) return null
  const id = text.replace(/\n$/, '')
  if (!isReleaseId(id)) throw new ReleaseError('pointer_invalid', [problemOf('bad_pointer', POINTER)])
  return id
}

/** Makes `id` the release being served, in one step that survives a crash, and notes when the one before was replaced. */
export async function movePointer(releasesDir: string, id: string, nowMs = Date.now()): Promise<void> {
  const before = await readPointer(releasesDir).catch(() => null)
  if (before !== null && before !== id) {
    const note = replaceDurably(join(releasesDir, before, REPLACED), Buffer.from(`${nowMs}\n`))
    await note.catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error // removed by hand
    })
  }
  await replaceDurably(join(releasesDir, POINTER), Buffer.from(`${id}\n`))
  await syncFolder(releasesDir)
}

/** Time at which a release was replaced, in milliseconds since the epoch; null without a record. */
export async function readReplacedAtMs(releasesDir: string, id: string): Promise<number | null> {
  const text = await readFile(join(releasesDir, id, REPLACED), 'utf8').catch(() => '')
  return /^\d{1,15}\n$/.test(text) ? Number(text) : null
}

/** Every published release, newest first. A folder under construction is not one. */
export async function listReleaseIds(releasesDir: string): Promise<string[]> {
  const names = await readdir(releasesDir).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  })
  return names.filter(isReleaseId).sort().reverse()
}

/**
 * Reads and checks the manifest of one release; throws {@link ReleaseError} when it is missing or damaged.
 * @param like another release in memory: files that are equal in both are held once
 */
export async function loadManifest(
  releasesDir: string,
  id: string,
  like: Manifest | null = null,
): Promise<Manifest> {
  const file = join(releasesDir, id, 'manifest.json')
  const missing = () => {
    throw new ReleaseError('release_missing', [problemOf('no_manifest', id)])
  }
  await using handle = await open(file).catch(missing)
  if ((await handle.stat()).size > MAX_MANIFEST_BYTES)
    throw new ReleaseError('manifest_invalid', [problemOf('manifest_file_too_large', id)])
  return await readManifestInTurns(readPieces(handle), id, like) // before the file is closed
}

/** Pieces of a file, each valid until the next one: a buffer for all of it would be the largest of a gate. */
async function* readPieces(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  for (;;) {
    const { bytesRead } = await handle.read(buffer)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

/** Tells if every stored file of a release, compressed ones and search index included, holds its expected bytes. */
export async function isIntact(releasesDir: string, id: string): Promise<boolean> {
  const folder = join(releasesDir, id)
  const manifest = await loadManifest(releasesDir, id).catch(() => null)
  if (manifest === null) return false
  for (const stored of allStoredFiles(manifest)) {
    if (!(await holds(join(folder, stored.name), stored))) return false
  }
  return true
}

/** A new folder for a release under construction. */
export async function createTemporary(releasesDir: string, suffix: string): Promise<string> {
  const folder = join(releasesDir, `${TEMPORARY}${process.pid}-${suffix}`)
  await mkdir(join(folder, BLOBS), { recursive: true })
  return folder
}

/** Gives a finished folder its name; from then on it is a release. */
export async function adoptRelease(releasesDir: string, temporary: string, id: string): Promise<void> {
  await syncFolder(join(temporary, BLOBS))
  await syncFolder(temporary)
  await rename(temporary, join(releasesDir, id))
  await syncFolder(releasesDir)
}

/** Removes what crashed packs left behind. */
export async function removeLeftovers(releasesDir: string, nowMs: number): Promise<void> {
  for (const name of await readdir(releasesDir)) {
    if (!name.startsWith(TEMPORARY)) continue
    const { mtimeMs } = await stat(join(releasesDir, name)).catch(() => ({ mtimeMs: nowMs }))
    if (nowMs - mtimeMs > STALE_MS) await rm(join(releasesDir, name), { recursive: true, force: true })
  }
}
