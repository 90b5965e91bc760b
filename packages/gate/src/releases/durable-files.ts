import { createHash, hash, randomBytes } from 'node:crypto'
import { copyFile, link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openNoFollow } from './build-files.ts'
import type { StoredBytes } from './manifest.ts'

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

/** Gives stored bytes a second name, or copies them where the file system has no hard links. */
export async function linkDurably(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isErrno(error, 'EEXIST') || isErrno(error, 'ENOENT')) throw error
    await copyFile(from, to)
    await using handle = await open(to, 'r+')
    await handle.sync()
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

/** Whether a stored file still holds exactly these bytes. */
export async function holds(file: string, expected: StoredBytes): Promise<boolean> {
  const bytes = await readFile(file).catch(() => null)
  return bytes !== null && bytes.length === expected.bytes && hash('sha256', bytes) === expected.sha256
}

/** Whether a fault is the system's error of this name (`ENOENT`, `EEXIST`, …). */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
