import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, realpathSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, opendir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'

/** A file of a backup by its path below the data folder. */
export interface BackupFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Copies of what is kept elsewhere, what belongs to one process, and what an earlier restore put aside. */
const LEFT_OUT =
  /^(?:fetched-(?:releases|previews)|gate\.lock|audit-operator\.lock|local-secret|before-restore-.*|restoring-.*)$|\.db-(?:wal|shm|journal)$/

/** Heads before lines, so that no copied head is newer than the copied lines; pointers before what they point to. */
const FIRST = ['audit-heads', 'audit-key.pem']

/** Every file below a folder by its path, links followed: as a service of systemd has one at the place of its data folder. */
export async function* listFiles(
  root: string,
  below = '',
  around: readonly string[] = [],
): AsyncGenerator<string> {
  const real = realpathSync(join(root, below))
  if (around.includes(real)) return // a link back to a folder around it
  const isFirst = (name: string) => below === '' && FIRST.includes(name)
  const inside = async (kind: 'isDirectory' | 'isFile', isWanted: (name: string) => boolean) => {
    const paths: string[] = []
    for await (const { name } of await opendir(real)) {
      const path = below === '' ? name : `${below}/${name}`
      if (LEFT_OUT.test(name) || !isWanted(name)) continue
      if ((await stat(join(root, path)).catch(nullWhereGone))?.[kind]() === true) paths.push(path)
    }
    return paths.sort()
  }
  const isLater = (name: string) => !isFirst(name)
  for (const path of await inside('isDirectory', isFirst)) yield* listFiles(root, path, [...around, real])
  yield* await inside('isFile', () => true)
  // Listed after the files are copied: a release that a pointer names is there by then.
  for (const path of await inside('isDirectory', isLater)) yield* listFiles(root, path, [...around, real])
}

/**
 * Copies one file of a data folder that a gate may be writing: a database by SQLite's own online backup, a file of lines up to its last
 * whole line. Resolves to false where it was removed meanwhile.
 */
export async function copyLiveFile(root: string, path: string, out: string): Promise<boolean> {
  const [from, to] = [join(root, path), join(out, path)]
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    if (path.endsWith('.db')) await backupDatabase(from, to)
    else if (path.endsWith('.jsonl')) await copyWholeLines(from, to)
    else await copyFile(from, to)
  } catch (error) {
    return nullWhereGone(error) ?? false
  }
  await chmod(to, 0o600)
  return true
}

async function backupDatabase(from: string, to: string): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true, timeout: 60_000 })
  try {
    await backup(db, to, { rate: 1_000 })
  } finally {
    db.close()
  }
}

const BLOCK_BYTES = 65_536
const LINE_FEED = 0x0a

async function copyWholeLines(from: string, to: string): Promise<void> {
  await using file = await open(from)
  let { size: end } = await file.stat()
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let isFound = false; !isFound && end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    const at = block.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    isFound = at !== -1
    end = isFound ? start + at + 1 : start
  }
  const source = end === 0 ? [] : createReadStream(from, { end: end - 1 })
  await pipeline(source, createWriteStream(to, { mode: 0o600 }))
}

/** Reads size and hash of a file. */
export async function describeFile(root: string, path: string): Promise<BackupFile> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(join(root, path))) {
    digest.update(chunk)
    bytes += chunk.length
  }
  return { path, bytes, sha256: digest.digest('hex') }
}

function nullWhereGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
