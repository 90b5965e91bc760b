import { execFile } from 'node:child_process'
import { createHash, hash, randomBytes } from 'node:crypto'
import { copyFileSync, type Dirent, linkSync, readFileSync, renameSync } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ReleaseError } from './errors.ts'
import type { StoredBytes } from './manifest.ts'
import { openNoFollow } from './packing/build/build-files.ts'
import { problemOf } from './texts/index.ts'

/** Writes a new file and waits until it is on the disk; fails when it is there already. */
export async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  await using handle = await open(file, 'wx', 0o644)
  await handle.writeFile(bytes)
  await handle.sync()
}

/**
 * Puts whole new contents in the place of a file: a reader sees the old bytes or the new ones, never a part.
 * The new name itself is on the disk only after {@link syncFolder}.
 */
export async function replaceDurably(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(file), `.tmp-${process.pid}-${randomBytes(6).toString('hex')}`)
  try {
    await writeDurably(temporary, bytes)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its renames are journalled by the file system.
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

const PARALLEL_SYNCS = 16
/** Up to as many files are synchronised one by one: starting a program takes longer, and stops the event loop of a large process. */
const MAX_SYNCS = 100

/**
 * Waits until files in a folder are on the disk: those named, else all below it and the names of all. On Linux, one call for the
 * whole file system does many: thousands of syncs took longer than compressing them.
 */
export async function syncFiles(folder: string, named?: readonly string[]): Promise<void> {
  const below = named === undefined ? await readdir(folder, { recursive: true, withFileTypes: true }) : []
  const inside = (entry: Dirent) => join(entry.parentPath, entry.name)
  const files =
    named?.map((name) => join(folder, name)) ?? below.filter((entry) => entry.isFile()).map(inside)
  if (files.length > MAX_SYNCS && (await syncFileSystem(folder))) return
  const left = files.values()
  const syncNext = async () => {
    for (const file of left) {
      await using handle = await open(file, 'r+')
      await handle.sync()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_SYNCS }, syncNext))
  if (named !== undefined) return
  for (const entry of below) if (entry.isDirectory()) await syncFolder(inside(entry))
  await syncFolder(folder)
}

/** False where there is no syncfs(2), which waits until all is written; sync(2) of other systems only begins it. */
async function syncFileSystem(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return promisify(execFile)('sync', ['-f', folder]).then(
    () => true,
    () => false,
  )
}

/** A thread that replaces a file at the moment it is linked makes link(2) fail, although the name was there all along. */
const MAX_LINK_TRIES = 5

/** Gives stored bytes another name, unless it has them already; copies them where the file system has no hard links. */
export function linkStored(from: string, to: string, tries = MAX_LINK_TRIES): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    if (isErrno(error, 'ENOENT')) {
      if (tries <= 1) throw error
      linkStored(from, to, tries - 1)
      return
    }
    const temporary = join(dirname(to), `.copy-${randomBytes(8).toString('hex')}`)
    copyFileSync(from, temporary)
    renameSync(temporary, to)
  }
}

/** Copies a file of any size to a new name, hashing what it writes. */
export async function copyDurably(from: string, to: string): Promise<StoredBytes> {
  await using source = await openNoFollow(from)
  await using target = await open(to, 'wx', 0o644)
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of source.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) {
    digest.update(chunk)
    bytes += chunk.length
    await target.writeFile(chunk)
  }
  await target.sync()
  return { sha256: digest.digest('hex'), bytes }
}

/** Writes a stream to a new name; nothing has that name unless all bytes are the right ones. */
export async function copyChecked(
  body: AsyncIterable<Uint8Array>,
  stored: StoredBytes,
  target: string,
): Promise<void> {
  const temporary = join(dirname(target), `.part-${randomBytes(8).toString('hex')}`)
  const digest = createHash('sha256')
  let bytes = 0
  try {
    {
      await using file = await open(temporary, 'wx', 0o644)
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > stored.bytes) break // ends the stream: what is too long is not read to its end
        digest.update(chunk)
        await file.writeFile(chunk)
      }
    }
    if (bytes !== stored.bytes || digest.digest('hex') !== stored.sha256) {
      throw new ReleaseError('manifest_mismatch', [problemOf('other_stored_bytes', stored.sha256)])
    }
    await rename(temporary, target)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Tells if a stored file still holds exactly these bytes. */
export async function holds(file: string, expected: StoredBytes): Promise<boolean> {
  const bytes = await readFile(file).catch(() => null)
  return bytes !== null && bytes.length === expected.bytes && hash('sha256', bytes) === expected.sha256
}

/** As {@link holds}, on the calling thread. */
export function holdsNow(file: string, expected: StoredBytes): boolean {
  try {
    const bytes = readFileSync(file)
    return bytes.length === expected.bytes && hash('sha256', bytes) === expected.sha256
  } catch {
    return false
  }
}

/** Tells if a fault is the system's error of this name (`ENOENT`, `EEXIST`, …). */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
