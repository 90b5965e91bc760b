import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import { decodePage } from '@sekisho/release/packing'

/** Files that may list pages or hold their text: search indexes, feeds, manuals, archives; all but pictures, fonts, sound and film. */
export const mayListPages = (name: string): boolean =>
  !/\.(?:a?png|jpe?g|gif|webp|avif|ico|bmp|tiff?|woff2?|[ot]tf|eot|mp[34]|m4[av]|web[mp]|og[agv]|wav|flac|mov)$/i.test(
    name,
  )

/** Bytes of one file when unpacked; a longer one counts as unread. */
export const MAX_BYTES = 128e6
const LIMIT = { maxOutputLength: MAX_BYTES }
/** Packed text within a script, as TypeDoc writes its search and navigation. */
const WITHIN = /["',](H4sI[\w+/=]{40,}|e[AFJN][\w+/=]{40,})["']/g
const INLINE_MAP = /sourceMappingURL=data:[^,\s]*;base64,([\w+/=]+)/g
const SPHINX = Buffer.from('# Sphinx inventory version 2')
/** First bytes of xz, bzip2, lz4, lzip, 7-Zip, RAR, compiled HTML help and SQLite (Qt help, Dash). */
const UNREAD = ['\xfd7zXZ', 'BZh', '\x04"M\x18', 'LZIP', '7z\xbc\xaf', 'Rar!', 'ITSF', 'SQLite format 3']

/** Text of a file that may list pages, unpacked: by its first bytes, and Brotli by its name. Null for one that cannot be read or is too long. */
export function unpackText(name: string, bytes: Buffer): string | null {
  try {
    const whole = unlessDamaged(() => unpack(name, bytes)) ?? bytes
    if (UNREAD.some((first) => whole.toString('latin1', 0, 16).startsWith(first))) return null
    const read = decodePage(name, whole)?.text ?? whole.toString()
    const maps = Array.from(read.matchAll(INLINE_MAP), ([, map = '']) =>
      Buffer.from(map, 'base64').toString(),
    )
    const text = [read, ...maps].join('\n')
    let left = MAX_BYTES
    const within = Array.from(text.matchAll(WITHIN), ([, packed = '']) => {
      const inner = Buffer.from(packed, 'base64')
      const unpackInner = packed.startsWith('H4sI') ? gunzipSync : inflateSync
      const part = unlessDamaged(() => unpackInner(inner, { maxOutputLength: Math.max(1, left) })) ?? ''
      left -= part.length
      return part
    })
    return [text, ...within].join('\n')
  } catch {
    return null
  }
}

/** Null for bytes that no reader unpacks either; throws for too many. */
function unlessDamaged(run: () => Buffer): Buffer | null {
  try {
    return run()
  } catch (error) {
    if (Object(error).code === 'ERR_BUFFER_TOO_LARGE') throw error
    return null
  }
}

function unpack(name: string, bytes: Buffer): Buffer {
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return gunzipSync(bytes, LIMIT)
  if (bytes.subarray(0, 4).equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])))
    return zstdDecompressSync(bytes, LIMIT)
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return unzip(bytes)
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return unpackPdf(bytes)
  if (bytes.subarray(0, SPHINX.length).equals(SPHINX)) {
    let at = 0
    for (let line = 0; line < 4; line += 1) at = bytes.indexOf('\n', at) + 1
    return inflateSync(bytes.subarray(at), LIMIT)
  }
  return /\.br$/i.test(name) ? brotliDecompressSync(bytes, LIMIT) : bytes
}

/** A PDF with its packed objects, where the addresses of links are. */
function unpackPdf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes]
  let left = MAX_BYTES
  const objects = bytes.toString('latin1').matchAll(/\/ObjStm[\s\S]{0,400}?stream\r?\n/g)
  for (const { index, 0: head } of objects) {
    const limit = { maxOutputLength: Math.max(1, left) }
    const part = unlessDamaged(() => inflateSync(bytes.subarray(index + head.length), limit))
    left -= part?.length ?? 0
    if (part !== null) parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Names in an archive, by its central directory, and contents of pages and lists. */
function unzip(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let left = MAX_BYTES
  const next = (from: number) => bytes.indexOf('PK\u0001\u0002', from, 'latin1')
  for (let at = next(0); at >= 0; at = next(at + 46)) {
    const name = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28))
    parts.push(Buffer.from(`${name}\n`))
    if (!mayListPages(name)) continue
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const stored = bytes.subarray(begin, begin + bytes.readUInt32LE(at + 20))
    const isPacked = bytes.readUInt16LE(at + 10) === 8
    const part = isPacked ? inflateRawSync(stored, { maxOutputLength: Math.max(1, left) }) : stored
    left -= part.length
    if (left < 0) throw Object.assign(new Error('too long'), { code: 'ERR_BUFFER_TOO_LARGE' })
    if (!part.includes(0)) parts.push(part)
  }
  return Buffer.concat(parts)
}

const WORD = /[^\s\p{Cc}"'`<>()[\]{},;|\\]{1,2000}/gu
const MAX_DEPTH = 16
/** Endings of a page in a book or of its source. */
const OTHER_ENDING = /\.(?:x?html?|mdx?|rst|adoc|ipynb)(?:\.txt)?$/

/**
 * Makes the reader of lists: it finds pages by path, in addresses too, with any ending or none, and as VitePress names modules. A page at
 * the top is found by its bare name only in a file that names most pages: it may be any word.
 */
export function createListReader(pages: readonly string[]): (text: string) => readonly string[] {
  const paths = new Map<string, string>()
  const words = new Map<string, string>()
  for (const page of pages) {
    const name = plain(page)
    const stem = name.replace(/\.[^./]+$/, '')
    const folder = stem.replace(/(?:^|\/)index$/, '')
    paths.set(name, page)
    paths.set(`${stem}.md`, page).set(`${stem.replaceAll('/', '_')}.md`, page)
    for (const one of [stem, folder]) {
      if (one === '') continue
      const known = one.includes('/') ? paths : words
      known.set(one, page)
      paths.set(`/${one}`, page).set(`${one}/`, page)
    }
  }

  return (text) => {
    const found = new Set<string>()
    const named = new Set<string>()
    for (const [word] of text.replace(/\\(?:\/|u002f)/gi, '/').matchAll(WORD)) {
      const path = plain(word.replace(/[?#].*/, ''))
      const bare = path.replace(OTHER_ENDING, '')
      const isAddress = path.includes('://')
      named.add(words.get(path) ?? '')
      for (let at = 0, depth = 0; depth < MAX_DEPTH; depth += 1) {
        const page =
          paths.get(path.slice(at)) ??
          paths.get(bare.slice(at)) ??
          (isAddress ? paths.get(path.slice(at - 1)) : undefined)
        if (page !== undefined) found.add(page)
        at = path.indexOf('/', at) + 1
        if (at === 0) break
      }
    }
    named.delete('')
    const all = new Set([...found, ...named])
    return [...(all.size > pages.length / 2 ? all : found)]
  }
}

function plain(path: string): string {
  return decodeOrSame(path.normalize('NFC').toLowerCase()).normalize('NFC')
}
