import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { IndexMismatchError } from './errors.ts'
import { FORMAT_VERSION } from './schema.ts'

const CHUNK_BYTES = 1 << 20
const CACHE_KIB = 16 * 1024

/** Opens an index for reading. Throws `IndexMismatchError` unless it is complete, of our format and as hashed. */
export function openIndexFile(file: string, sha256?: string): DatabaseSync {
  if (sha256 !== undefined && hashFile(file) !== sha256) {
    throw new IndexMismatchError(
      'The search index is not the file the release names; publish the release again',
    )
  }
  const database = openReadOnly(file)
  try {
    assertFormat(database)
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA query_only = 1; PRAGMA temp_store = MEMORY`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SHA-256 of a file in hex, read in pieces. */
export function hashFile(file: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const descriptor = openOrMismatch(file)
  try {
    for (;;) {
      const length = readSync(descriptor, chunk)
      if (length === 0) return hash.digest('hex')
      hash.update(chunk.subarray(0, length))
    }
  } finally {
    closeSync(descriptor)
  }
}

function openOrMismatch(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (cause) {
    throw new IndexMismatchError('The search index cannot be read', { cause })
  }
}

function openReadOnly(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true })
  } catch (cause) {
    throw new IndexMismatchError('The search index cannot be opened', { cause })
  }
}

function assertFormat(database: DatabaseSync): void {
  const found = readMeta(database)
  if (found.get('format') !== String(FORMAT_VERSION) || found.get('complete') !== '1') {
    throw new IndexMismatchError(
      `The search index has format ${found.get('format') ?? 'unknown'}, this engine reads ${FORMAT_VERSION}; build it again`,
    )
  }
}

function readMeta(database: DatabaseSync): Map<string, string> {
  try {
    const rows = database.prepare('SELECT key, value FROM meta').all()
    return new Map(rows.map((row) => [String(row.key), String(row.value)]))
  } catch (cause) {
    throw new IndexMismatchError('The file is not a search index', { cause })
  }
}
