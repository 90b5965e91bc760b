import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { verifyFolderTrail } from '../../audit/folder-trail.ts'
import { type DataFolder, dataFolderAt, lockDataFolder, makeDataFolder } from '../../storage/data-folder.ts'
import { problemOf } from '../../storage/texts/index.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { assertSecret, type Backup, BackupError, readBackup } from './backup.ts'
import { describeFile, listFiles } from './copy-folder.ts'
import { readIntoDatabase } from './database-rows.ts'

interface RestoreOptions {
  readonly folder: DataFolder
  /** A database that holds nothing; null for files. */
  readonly databaseUrl: string | null
  readonly secrets: Secrets
  readonly from: string
  /** Hashes of lines that were noted elsewhere and must be in the restored trail. */
  readonly heads: readonly string[]
  /** Does everything in a place of its own, and removes it. */
  readonly isDry: boolean
  readonly now: () => number
  readonly onProgress: (path: string) => void
}

interface Restored {
  readonly backup: Backup
  readonly files: number
  readonly rows: number
  /** New place of the data folder's earlier content; null where there was none. */
  readonly putAside: string | null
}

/**
 * Puts a backup in the place of what a data folder holds, which stays beside it. Everything is checked first: the secret, each file's
 * hash, the databases, the chains of the trail. Throws {@link BackupError}, `SecretError`, and `DataFolderError` while a gate runs.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, databaseUrl, secrets, from, isDry, now, onProgress } = options
  const backup = await readBackup(from)
  assertSecret(backup.fingerprints, secrets)
  if (backup.hasDatabase !== (databaseUrl !== null))
    throw new BackupError(problemOf(backup.hasDatabase ? 'backup_of_database' : 'backup_of_files'))
  const target = isDry ? dataFolderAt(await mkdtemp(join(tmpdir(), 'sekisho-restore-'))) : folder
  try {
    makeDataFolder(target)
    using _lock = lockDataFolder(target)
    const root = realpathSync(target.root)
    const stamp = new Date(now()).toISOString().replace(/[^0-9TZ]/g, '')
    const draft = join(root, `restoring-${stamp}`)
    mkdirSync(draft, { mode: 0o700 })
    try {
      await copyFiles(from, backup, draft, onProgress)
      await checkFolder(dataFolderAt(draft), backup, options.heads)
      const rows = databaseUrl === null ? 0 : await readIntoDatabase(databaseUrl, from, isDry)
      const putAside = exchange(root, draft, join(root, `before-restore-${stamp}`))
      const { length: files } = await leaveToOwner(root)
      return { backup, files, rows, putAside }
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  } finally {
    if (isDry) await rm(target.root, { recursive: true, force: true })
  }
}

async function copyFiles(
  from: string,
  { files }: Backup,
  draft: string,
  onProgress: (path: string) => void,
): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    onProgress(path)
    const found = await describeFile(from, path).catch(() => null)
    if (found === null || found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(problemOf('backup_damaged', path))
    if (!path.startsWith('data/')) continue
    const to = join(draft, path.slice('data/'.length))
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    await copyFile(join(from, path), to)
    await chmod(to, 0o600)
    await describeFile(dirname(to), to.slice(dirname(to).length + 1)) // read back, and kept by the disk
  }
}

async function checkFolder(draft: DataFolder, { heads }: Backup, expected: readonly string[]): Promise<void> {
  for (const file of [draft.sessions, draft.publishers].filter((one) => existsSync(one))) {
    const db = new DatabaseSync(file, { readOnly: true })
    const [row] = db.prepare('PRAGMA quick_check').all()
    db.close()
    if (row?.quick_check !== 'ok')
      throw new BackupError(problemOf('backup_damaged', file.slice(draft.root.length + 1)))
  }
  if (heads.length + expected.length === 0 || !existsSync(draft.audit.lines)) return
  const { ok, problems } = await verifyFolderTrail(draft, {
    heads: [...heads.map(({ hash }) => hash), ...expected],
  })
  if (ok) return
  throw new BackupError(problems.map(({ place, problem }) => problemOf('backup_trail', place, problem)))
}

/** Two renames for each entry, on one file system: nothing is copied while the folder is between two states. */
function exchange(root: string, draft: string, aside: string): string | null {
  const isOwn = (name: string) => /^(?:gate\.lock.*|before-restore-.*|restoring-.*)$/.test(name)
  const before = readdirSync(root).filter((name) => !isOwn(name))
  if (before.length > 0) mkdirSync(aside, { mode: 0o700 })
  for (const name of before) renameSync(join(root, name), join(aside, name))
  for (const name of readdirSync(draft)) renameSync(join(draft, name), join(root, name))
  return before.length > 0 ? aside : null
}

/** Gives files restored by root to the gate's user: a systemd service's user exists only while it runs, and owns the folder. */
async function leaveToOwner(root: string): Promise<readonly string[]> {
  const files: string[] = []
  for await (const path of listFiles(root)) files.push(path)
  if (process.getuid?.() !== 0) return files
  const { uid, gid } = statSync(root)
  const folders = new Set(files.flatMap((path) => foldersAround(path)))
  for (const path of [...folders, ...files]) chownSync(join(root, path), uid, gid)
  return files
}

function foldersAround(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [...foldersAround(folder), folder]
}
