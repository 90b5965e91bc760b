import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { isRecord, parseOrNull } from '@sekisho/contract/json-shape'
import { syncFiles } from '@sekisho/release'
import { verifyFolderTrail } from '../../audit/folder-trail.ts'
import { type DataFolder, dataFolderAt } from '../../storage/data-folder.ts'
import { problemOf } from '../../storage/texts/index.ts'
import { fingerprintsOf, type Secrets, secretInUse } from '../secrets/secrets.ts'
import { type BackupFile, copyLiveFile, describeFile, listFiles } from './copy-folder.ts'
import { DATABASE_FILES, writeDatabase } from './database-rows.ts'

/** Reason a backup or restore did not happen; the message names the remedy. */
export class BackupError extends ExplainedError {
  override readonly name = 'BackupError'
  readonly code = 'backup_unusable'
}

/** End of a chain of the audit trail. */
interface BackupHead {
  readonly chain: string
  readonly seq: number
  readonly hash: string
}

/** Contents of a backup, in its `backup.json`. */
export interface Backup {
  readonly format: 1
  readonly at: string
  readonly hasDatabase: boolean
  /** Of the secrets that its sessions are sealed with. */
  readonly fingerprints: readonly string[]
  /** Ends of the chains in its data folder. */
  readonly heads: readonly BackupHead[]
  readonly files: readonly BackupFile[]
}

export const MANIFEST = 'backup.json'
const FILES = 'data'

interface BackupOptions {
  readonly folder: DataFolder
  readonly databaseUrl: string | null
  readonly secrets: Secrets
  /** A folder that is empty, or absent. */
  readonly out: string
  readonly now: () => number
  readonly onProgress: (path: string) => void
}

/** The copied data folder of a backup. */
export const filesOf = (backup: string): DataFolder => dataFolderAt(join(backup, FILES))

/**
 * Copies a gate's state while it runs. Throws {@link BackupError}, and `SecretError` where the configured secret does not open the copy:
 * restoring it would end all sessions.
 */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const { folder, databaseUrl, secrets, out, now, onProgress } = options
  const root = existsSync(folder.root) ? realpathSync(folder.root) : null
  if (root === null || (databaseUrl === null && !existsSync(folder.sessions)))
    throw new BackupError(problemOf('nothing_to_back_up', folder.root))
  mkdirSync(out, { recursive: true, mode: 0o700 })
  const place = realpathSync(out)
  if (`${place}/`.startsWith(`${root}/`)) throw new BackupError(problemOf('backup_inside', folder.root))
  if (readdirSync(place).length > 0) throw new BackupError(problemOf('backup_not_empty', out))
  const at = new Date(now()).toISOString()
  const copied = filesOf(place)
  mkdirSync(copied.root, { mode: 0o700 })
  const paths: string[] = []
  for await (const path of listFiles(root)) {
    onProgress(path)
    if (await copyLiveFile(root, path, copied.root)) paths.push(`${FILES}/${path}`)
  }
  const fingerprints = databaseUrl === null ? readFingerprints(copied) : []
  if (databaseUrl !== null) {
    mkdirSync(join(place, dirname(DATABASE_FILES[0] ?? '')), { mode: 0o700 })
    const { fingerprint } = await writeDatabase(databaseUrl, place)
    if (fingerprint !== null) fingerprints.push(fingerprint)
    paths.push(...DATABASE_FILES)
  }
  assertSecret(fingerprints, secrets)
  await syncFiles(place)
  const files: BackupFile[] = []
  for (const path of paths) files.push(await describeFile(place, path))
  const heads = existsSync(copied.audit.lines) ? (await verifyFolderTrail(copied)).chains : []
  const backup: Backup = {
    format: 1,
    at,
    hasDatabase: databaseUrl !== null,
    fingerprints,
    heads: heads.map(({ chain, head }) => ({ chain, ...head })),
    files,
  }
  writeFileSync(join(place, MANIFEST), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, flush: true })
  return backup
}

/** Throws `SecretError` where none of the fingerprints is of a secret that is set. */
export function assertSecret(fingerprints: readonly string[], secrets: Secrets): void {
  const known = fingerprintsOf(secrets)
  const [first] = fingerprints
  if (first !== undefined && !fingerprints.some((one) => known.includes(one))) secretInUse(first, secrets)
}

function readFingerprints({ sessions }: DataFolder): string[] {
  const db = new DatabaseSync(sessions, { readOnly: true })
  try {
    return db
      .prepare('SELECT fingerprint FROM secrets ORDER BY context')
      .all()
      .map(({ fingerprint }) => String(fingerprint))
  } finally {
    db.close()
  }
}

/** Reads what a backup says that it holds. Throws {@link BackupError} for what is no backup, or one of a newer version. */
export async function readBackup(dir: string): Promise<Backup> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch((cause: Error) => {
    throw new BackupError(problemOf('no_backup', dir), { cause })
  })
  const value = parseOrNull(text)
  if (!isBackup(value)) throw new BackupError(problemOf('no_backup', dir))
  return value
}

/** A path that leads out of the backup is none of its files. */
const FILE = /^(?:data|database)(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/

function isBackup(value: unknown): value is Backup {
  if (!isRecord(value) || value.format !== 1 || typeof value.hasDatabase !== 'boolean') return false
  const { at, fingerprints, heads, files } = value
  const isText = (one: unknown) => typeof one === 'string'
  const isFile = (file: unknown) =>
    isRecord(file) && isText(file.sha256) && typeof file.bytes === 'number' && FILE.test(String(file.path))
  const isHead = (head: unknown) =>
    isRecord(head) && isText(head.chain) && isText(head.hash) && typeof head.seq === 'number'
  if (!Array.isArray(fingerprints) || !Array.isArray(heads) || !Array.isArray(files) || !isText(at))
    return false
  return fingerprints.every(isText) && heads.every(isHead) && files.every(isFile)
}
