import { MARKDOWN_TYPE } from '@sekisho/contract/page-markdown'
import type { Encoding, ReleaseFile, StoredBytes } from '@sekisho/release'

/** The stored bytes that answer a request, and their Content-Encoding (null for the plain bytes). */
export interface Representation {
  readonly encoding: Encoding | null
  readonly stored: StoredBytes
}

const ENCODINGS: readonly Encoding[] = ['br', 'zstd', 'gzip']
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i
/** Browsers send a handful of different values; a client that sends others only costs the memo. */
const MAX_REMEMBERED = 64

const remembered = new Map<string, ReadonlyMap<string, number>>()

/**
 * Chooses by `Accept-Encoding` (RFC 9110 §12.5.3): highest weight first, then fewest bytes. Where nothing stored
 * is acceptable the plain bytes are sent: a picture is better than 406.
 */
export function chooseRepresentation(file: ReleaseFile, acceptEncoding: string | null): Representation {
  const plain: Representation = { encoding: null, stored: file }
  if (acceptEncoding === null) return plain
  const weights = readWeights(acceptEncoding)
  // Plain bytes nobody mentioned are acceptable, but come after every coding that was named.
  let best = plain
  let bestWeight = weights.get('identity') ?? weights.get('*') ?? Number.MIN_VALUE
  for (const encoding of ENCODINGS) {
    const stored = file.encodings[encoding]
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (stored === undefined || weight === 0) continue
    if (weight > bestWeight || (weight === bestWeight && stored.bytes < best.stored.bytes)) {
      best = { encoding, stored }
      bestWeight = weight
    }
  }
  return best
}

/**
 * Tells if `Accept` prefers Markdown to HTML, or equally (RFC 9110 §12.5.1). A range such as `text/*` stands for HTML, as browsers mean it:
 * Markdown must be named.
 */
export function prefersMarkdown(accept: string | null): boolean {
  if (accept === null || !/text\/markdown/i.test(accept)) return false
  const weights = new Map<string, number>()
  for (const part of accept.split(',').slice(0, MAX_REMEMBERED)) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const given = parameters.find((one) => one.startsWith('q='))
    const weight = given === undefined ? '1' : WEIGHT.exec(given)?.[1]
    if (weight !== undefined) weights.set(name, Number(weight))
  }
  const markdown = weights.get(MARKDOWN_TYPE) ?? 0
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  return markdown > 0 && markdown >= html
}

function readWeights(header: string): ReadonlyMap<string, number> {
  const known = remembered.get(header)
  if (known !== undefined) return known
  const weights = new Map<string, number>()
  for (const part of header.split(',').slice(0, MAX_REMEMBERED)) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const coding = name.toLowerCase() === 'x-gzip' ? 'gzip' : name.toLowerCase()
    const weight = parameters.length === 0 ? '1' : WEIGHT.exec(parameters[0] ?? '')?.[1]
    if (coding !== '' && weight !== undefined) weights.set(coding, Number(weight))
  }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  if (header.length <= 256) remembered.set(header, weights)
  return weights
}
