import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isErrno, syncFiles } from '@sekisho/release'
import { verifyFolderTrail } from '../../audit/folder-trail.ts'
import { type DataFolder, dataFolderAt, lockDataFolder, makeDataFolder } from '../../storage/data-folder.ts'
import { problemOf } from '../../storage/texts/index.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { assertSecret, type Backup, BackupError, readBackup } from './backup.ts'
import { describeFile } from './copy-folder.ts'
import { readIntoDatabase } from './database-rows.ts'
import { complete, decidedOf, decideExchange, draftOf, finishRestore } from './exchange.ts'

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
  /** Writes the act's line into the trail that is about to be in force; where that fails, no files are exchanged before the next start. */
  readonly record: (folder: DataFolder, backup: Backup) => Promise<void>
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
    const completed = await finishRestore(target)
    if (completed !== null) throw new BackupError(problemOf('restore_completed', completed))
    const root = realpathSync(target.root)
    const stamp = new Date(now()).toISOString().replace(/[^0-9TZ]/g, '')
    const draft = draftOf(root, stamp)
    mkdirSync(draft, { mode: 0o700 })
    try {
      await copyFiles(from, backup, draft, onProgress)
      await checkFolder(dataFolderAt(draft), backup, options.heads)
      const decide = () => decideExchange(root, stamp)
      const rows = databaseUrl === null ? 0 : await readIntoDatabase(databaseUrl, from, isDry ? null : decide)
      const isDecided = !existsSync(draft)
      if (!isDry) await options.record(dataFolderAt(isDecided ? decidedOf(draft) : draft), backup)
      if (!isDecided) await decide()
      const putAside = await complete(root, stamp)
      const files = backup.files.filter(({ path }) => path.startsWith('data/')).length
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
  /** Of a file of the folder the copy is read back, of the database's the backup itself. */
  async function copy(path: string) {
    if (!path.startsWith('data/')) return describeFile(from, path)
    const inside = path.slice('data/'.length)
    const to = join(draft, inside)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    await copyFile(join(from, path), to)
    await chmod(to, 0o600)
    return describeFile(draft, inside)
  }
  for (const { path, bytes, sha256 } of files) {
    onProgress(path)
    const found = await copy(path).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error
      return null
    })
    if (found === null || found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(problemOf('backup_damaged', path))
  }
  await syncFiles(draft)
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
