import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { findHeader, type WireAnswer } from './messages.ts'
import { MAX_BODY_BYTES } from './read-answer.ts'

type Decoder = (body: Buffer) => Buffer

const limits = { maxOutputLength: MAX_BODY_BYTES }
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['br', (body) => brotliDecompressSync(body, limits)],
  ['zstd', (body) => zstdDecompressSync(body, limits)],
  ['gzip', (body) => gunzipSync(body, limits)],
  ['x-gzip', (body) => gunzipSync(body, limits)],
  ['deflate', (body) => inflateSync(body, limits)],
])

/**
 * Undoes the content codings an answer declares. Null when one is unknown or the body does not match it:
 * the answer then cannot be cleared, and that is a finding of its own.
 */
export function decodeBody(answer: WireAnswer): Buffer | null {
  const declared = findHeader(answer.headers, 'content-encoding')
  if (declared === null || answer.body.length === 0) return answer.body
  const codings = declared.split(',').map((coding) => coding.trim().toLowerCase())
  let body = answer.body
  for (const coding of codings.toReversed()) {
    if (coding === 'identity' || coding === '') continue
    const decode = DECODERS.get(coding)
    if (decode === undefined) return null
    try {
      body = decode(body)
    } catch {
      return null
    }
  }
  return body
}
