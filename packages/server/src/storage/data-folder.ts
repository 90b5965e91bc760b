import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { RELEASES_FOLDER } from '@sekisho/contract/publishing'
import { problemOf } from './texts/index.ts'

/** Default data folder; relative to the working directory. */
export const DEFAULT_DATA_DIR = '.sekisho'

/** Files of an audit trail. */
export interface AuditPlaces {
  /** Its lines: `CHAIN-000001.jsonl` and so on for each chain. */
  readonly lines: string
  /** Its signed heads, `CHAIN.json` for each chain: elsewhere, so that they outlive a folder that is emptied. */
  readonly heads: string
}

/** Paths below the data folder. */
export interface DataFolder {
  readonly root: string
  readonly releases: string
  /** Copies of releases that are published elsewhere. */
  readonly fetchedReleases: string
  /** The same of previews, one folder for each. */
  readonly fetchedPreviews: string
  readonly sessions: string
  readonly audit: AuditPlaces
  /** Signs the heads of the audit trail. */
  readonly auditKey: string
  /** Publish tokens, and ID tokens of jobs that were used. */
  readonly publishers: string
  /** Acknowledgements of pages, and last visits of readers; absent until the first of them. */
  readonly acknowledgements: string
  readonly searchLog: string
  readonly feedback: string
  readonly localAccounts: string
}

/** Something in the data folder stands in the way; the message says what to do. */
export class DataFolderError extends ExplainedError {
  override readonly name = 'DataFolderError'
  readonly code = 'data_folder_unusable'
}

/** Names the places below a data folder without touching it. */
export function dataFolderAt(path: string): DataFolder {
  const root = resolve(path)
  return {
    root,
    releases: join(root, RELEASES_FOLDER),
    fetchedReleases: join(root, 'fetched-releases'),
    fetchedPreviews: join(root, 'fetched-previews'),
    sessions: join(root, 'sessions.db'),
    audit: { lines: join(root, 'audit'), heads: join(root, 'audit-heads') },
    auditKey: join(root, 'audit-key.pem'),
    publishers: join(root, 'publishers.db'),
    acknowledgements: join(root, 'acknowledgements.db'),
    searchLog: join(root, 'search-log'),
    feedback: join(root, 'feedback'),
    localAccounts: join(root, 'local-accounts.json'),
  }
}

/** Makes the folder, for its owner only. */
export function makeDataFolder({ root }: DataFolder): void {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    chmodSync(root, 0o700)
  } catch (cause) {
    throw new DataFolderError(problemOf('folder_unusable', root), { cause })
  }
}

/**
 * Makes sure that one gate at a time uses the folder: two would break each other's audit chain. The lock is
 * SQLite's, so the system lets go of it however the process ends.
 */
export function lockDataFolder({ root }: DataFolder): Disposable {
  const lock = new DatabaseSync(join(root, 'gate.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new DataFolderError(problemOf('folder_in_use', root), { cause })
  }
  return { [Symbol.dispose]: () => lock.close() }
}

/** The secret of a local gate: made once and kept, so that sessions outlive a restart. */
export function readLocalSecret({ root }: DataFolder): string {
  const file = join(root, 'local-secret')
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}
