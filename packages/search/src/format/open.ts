import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { IndexMismatchError } from './errors.ts'
import { assertSchema } from './expected-schema.ts'
import { FORMAT_VERSION } from './schema.ts'

const CHUNK_BYTES = 1 << 20
const CACHE_KIB = 16 * 1024
/** Largest value of a column, and of a row; the longest list of a spelling of 100,000 pages is a tenth of it. */
const MAX_VALUE_BYTES = 32 * 1024 * 1024
/** A file from elsewhere calls no function that its schema names, and a cell that leaves its page is an error. */
const HARDENED = 'PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1; PRAGMA query_only = 1'

/** The files of an index that are open: the one that is named, and those that hold its pages where it was divided. */
interface OpenIndex {
  readonly database: DatabaseSync
  readonly divided: readonly DatabaseSync[]
}

/** Opens an index with the files that hold its pages. Throws `IndexMismatchError`, also where these are not as many as it has. */
export function openIndexFiles(
  file: string,
  { sha256, parts = [] }: { readonly sha256?: string; readonly parts?: readonly NamedFile[] },
): OpenIndex {
  const opened: DatabaseSync[] = []
  const cacheKib = Math.ceil(CACHE_KIB / Math.max(1, parts.length))
  try {
    const database = openIndexFile(file, sha256, cacheKib)
    opened.push(database)
    if (Number(readMeta(database).get('parts') ?? 0) !== parts.length)
      throw new IndexMismatchError('The search index has other parts than were named')
    for (const part of parts) opened.push(openIndexFile(part.file, part.sha256, cacheKib))
    return { database, divided: opened.slice(1) }
  } catch (error) {
    for (const one of opened) one.close()
    throw error
  }
}

/** A file of an index, and its SHA-256 in hex where that is known. */
export interface NamedFile {
  readonly file: string
  readonly sha256?: string
}

/** Opens one file for reading. Throws `IndexMismatchError` unless it is complete, of our format and as hashed. */
export function openIndexFile(file: string, sha256?: string, cacheKib = CACHE_KIB): DatabaseSync {
  if (sha256 !== undefined && hashFile(file) !== sha256) {
    throw new IndexMismatchError(
      'The search index is not the file the release names; publish the release again',
    )
  }
  const database = openReadOnly(file)
  try {
    database.exec(HARDENED) // reads nothing of the file yet
    assertSchema(database)
    database.exec(`PRAGMA cache_size = -${cacheKib}; PRAGMA temp_store = MEMORY`)
    assertFormat(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SHA-256 of a file in hex, read in pieces. */
function hashFile(file: string): string {
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
    return new DatabaseSync(file, {
      readOnly: true,
      defensive: true,
      limits: { length: MAX_VALUE_BYTES, attach: 0, triggerDepth: 0 },
    })
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
