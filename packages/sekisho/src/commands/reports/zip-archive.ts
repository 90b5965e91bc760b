import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** PKWARE APPNOTE 6.3: version 2.0, names in UTF-8, stored. */
const VERSION = 20
const UTF8 = 0x0800
/** 1 January 1980, the first day of the format, so that the same files make the same archive. */
const DAY = 0x21
const UNIX_FILE = (3 << 8) | VERSION
const READABLE_BY_OWNER = 0o100600 * 2 ** 16
const MAX_BYTES = 2 ** 32 - 1
const MAX_FILES = 2 ** 16 - 1

/** Archives every file of a folder, in the order of their names, within one top-level folder. False, without an archive, where the format has no room. */
export function writeZip(file: string, folder: string, topLevel: string): boolean {
  const fd = openSync(file, 'wx', 0o600)
  let isWhole = false
  try {
    isWhole = writeEntries(fd, folder, topLevel)
  } finally {
    closeSync(fd)
    if (!isWhole) rmSync(file)
  }
  return isWhole
}

function writeEntries(fd: number, folder: string, topLevel: string): boolean {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  const entries: Buffer[] = []
  let offset = 0
  const write = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    offset += bytes.length
  }
  for (const file of files) {
    const name = Buffer.from(`${topLevel}${file.slice(folder.length).replaceAll('\\', '/')}`)
    const contents = readFileSync(file)
    if (offset + name.length + contents.length > MAX_BYTES) return false
    const sizes = fields([4, crc32(contents)], [4, contents.length], [4, contents.length], [2, name.length])
    const common = fields([2, VERSION], [2, UTF8], [2, 0], [2, 0], [2, DAY])
    const start = fields([4, 0x02014b50], [2, UNIX_FILE])
    const place = fields([2, 0], [2, 0], [2, 0], [2, 0], [4, READABLE_BY_OWNER], [4, offset])
    entries.push(Buffer.concat([start, common, sizes, place, name]))
    write(Buffer.concat([fields([4, 0x04034b50]), common, sizes, fields([2, 0]), name]))
    write(contents)
  }
  const directory = Buffer.concat(entries)
  if (offset + directory.length > MAX_BYTES || files.length > MAX_FILES) return false
  const counts = fields([2, files.length], [2, files.length], [4, directory.length], [4, offset])
  write(directory)
  write(Buffer.concat([fields([4, 0x06054b50], [4, 0]), counts, fields([2, 0])]))
  return true
}

/** Unsigned little-endian numbers, each with its length in bytes. */
function fields(...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    numbers.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )
}
