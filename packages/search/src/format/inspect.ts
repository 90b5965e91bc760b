import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { MAX_TEXT_BYTES } from './content.ts'
import { IndexMismatchError } from './errors.ts'
import { type NamedFile, openIndexFiles } from './open.ts'

/** Limit of the texts of an index together, unpacked; 100,000 pages of documentation have less. */
const MAX_TEXTS_BYTES = 1024 * 1024 * 1024
/** Text is packed to a third or a quarter; a whole index to less than this is made to fill a memory. */
const MAX_GROWTH = 16
/** A small index of one repetitive page is no bomb. */
const FREE_BYTES = 16 * 1024 * 1024

/**
 * Inspects a received index before it is served: schema, hash and format as for opening, then every table's structure and every text's
 * length. Its time grows with the files alone. Throws `IndexMismatchError`.
 */
export function inspectIndex(
  file: string,
  { sha256, parts = [] }: { readonly sha256: string; readonly parts?: readonly NamedFile[] },
): void {
  const { database, divided } = openIndexFiles(file, { sha256, parts })
  const all = [database, ...divided]
  try {
    for (const one of all) assertWhole(one)
    const stored = [file, ...parts.map((part) => part.file)].reduce((sum, one) => sum + statSync(one).size, 0)
    assertTexts(all, Math.min(MAX_TEXTS_BYTES, Math.max(FREE_BYTES, MAX_GROWTH * stored)))
  } finally {
    for (const one of all) one.close()
  }
}

/** Finds pages that several places lead to, which a search could walk without end, and damage within FTS5. */
function assertWhole(database: DatabaseSync): void {
  try {
    const row = database.prepare('PRAGMA integrity_check(1)').get()
    if (row?.integrity_check !== 'ok') throw new Error(String(row?.integrity_check).slice(0, 200))
  } catch (cause) {
    throw new IndexMismatchError('The search index is damaged', { cause })
  }
}

/** Unpacks one text after the other, none further than a page's may be long, and stops at the limit of all together. */
function assertTexts(databases: readonly DatabaseSync[], maxBytes: number): void {
  let left = maxBytes
  try {
    for (const database of databases) {
      for (const { text } of database.prepare('SELECT text FROM content').iterate()) {
        if (!(text instanceof Uint8Array)) throw new TypeError('a text is no bytes')
        left -= gunzipSync(text, { maxOutputLength: MAX_TEXT_BYTES }).length
        if (left < 0) throw new RangeError(`more than ${maxBytes} bytes`)
      }
    }
  } catch (cause) {
    throw new IndexMismatchError('The texts of the search index cannot be unpacked, or are too long', {
      cause,
    })
  }
}
