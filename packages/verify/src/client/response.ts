import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { findHeader, type HeaderLine } from './request.ts'

/** A response as it arrived, transfer coding removed and content coding kept. */
export interface WireResponse {
  readonly status: number
  readonly reason: string
  readonly headers: readonly HeaderLine[]
  readonly body: Buffer
  /** Headers of 1xx responses that came before it: early hints can leak too. */
  readonly interim: readonly HeaderLine[]
}

/** Outcome of a request. `bytes` holds received bytes that could not be read as a response. */
export type WireOutcome =
  | { readonly kind: 'response'; readonly response: WireResponse }
  | { readonly kind: 'closed' | 'timeout' | 'unreadable'; readonly bytes: Buffer }

/** Bounds of what is read from one response. */
const MAX_HEADER_BYTES = 64 * 1024
/** A body beyond this is cut off by treating the response as unreadable. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** A complete response and the offset after it, or how many bytes must be there before it is worth asking again. */
export type Reading =
  | { readonly kind: 'complete'; readonly response: WireResponse; readonly next: number }
  | { readonly kind: 'partial'; readonly needed: number }
  | { readonly kind: 'unreadable' }

interface HeaderSection {
  readonly status: number
  readonly reason: string
  readonly headers: readonly HeaderLine[]
  readonly bodyStart: number
}

/**
 * Reads one HTTP/1.1 response (RFC 9112) from the start of the buffer.
 * `ended` says that the peer closed, which ends a body without a length.
 */
export function readResponse(buffer: Buffer, method: string, ended: boolean): Reading {
  const interim: HeaderLine[] = []
  let start = 0
  for (;;) {
    const section = readHeaderSection(buffer, start)
    if (section === 'partial') return { kind: 'partial', needed: buffer.length + 1 }
    if (section === 'unreadable') return { kind: 'unreadable' }
    if (section.status >= 200 || section.status === 101)
      return readBody(buffer, section, interim, method, ended)
    interim.push(...section.headers)
    start = section.bodyStart
  }
}

function readHeaderSection(buffer: Buffer, start: number): HeaderSection | 'partial' | 'unreadable' {
  const end = buffer.indexOf('\r\n\r\n', start, 'latin1')
  if (end === -1) return buffer.length - start > MAX_HEADER_BYTES ? 'unreadable' : 'partial'
  const [statusLine = '', ...lines] = buffer.toString('latin1', start, end).split('\r\n')
  const match = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(statusLine)
  if (match === null) return 'unreadable'
  const headers: HeaderLine[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) return 'unreadable'
    headers.push([line.slice(0, colon), line.slice(colon + 1).trim()])
  }
  return { status: Number(match[1]), reason: match[2] ?? '', headers, bodyStart: end + 4 }
}

function readBody(
  buffer: Buffer,
  section: HeaderSection,
  interim: readonly HeaderLine[],
  method: string,
  ended: boolean,
): Reading {
  const { status, reason, headers, bodyStart } = section
  const complete = (body: Buffer, next: number): Reading => ({
    kind: 'complete',
    response: { status, reason, headers, body: Buffer.from(body), interim },
    next,
  })
  if (method === 'HEAD' || status === 204 || status === 304 || status === 101)
    return complete(Buffer.alloc(0), bodyStart)
  if (/\bchunked\b/i.test(findHeader(headers, 'transfer-encoding') ?? '')) {
    const chunks = readChunks(buffer, bodyStart)
    if (chunks === 'unreadable') return { kind: 'unreadable' }
    if (chunks === 'partial') return { kind: 'partial', needed: buffer.length + 1 }
    return complete(chunks.body, chunks.next)
  }
  const length = findHeader(headers, 'content-length')
  if (length === null) {
    return ended
      ? complete(buffer.subarray(bodyStart), buffer.length)
      : { kind: 'partial', needed: buffer.length + 1 }
  }
  if (!/^\d{1,9}$/.test(length) || Number(length) > MAX_BODY_BYTES) return { kind: 'unreadable' }
  const next = bodyStart + Number(length)
  return buffer.length < next
    ? { kind: 'partial', needed: next }
    : complete(buffer.subarray(bodyStart, next), next)
}

function readChunks(
  buffer: Buffer,
  start: number,
): { body: Buffer; next: number } | 'partial' | 'unreadable' {
  const parts: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = buffer.indexOf('\r\n', at, 'latin1')
    if (lineEnd === -1) return 'partial'
    const size = /^([0-9a-f]{1,7})(?:;.*)?$/i.exec(buffer.toString('latin1', at, lineEnd))?.[1]
    if (size === undefined) return 'unreadable'
    const chunkStart = lineEnd + 2
    const length = Number.parseInt(size, 16)
    if (length === 0) {
      const trailerEnd = buffer.indexOf('\r\n\r\n', lineEnd, 'latin1')
      return trailerEnd === -1 ? 'partial' : { body: Buffer.concat(parts), next: trailerEnd + 4 }
    }
    if (buffer.length < chunkStart + length + 2) return 'partial'
    parts.push(buffer.subarray(chunkStart, chunkStart + length))
    at = chunkStart + length + 2
  }
}

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
 * Undoes the content codings a response declares. Null when one is unknown or the body does not match it:
 * the response then cannot be cleared, and that is a finding of its own.
 */
export function decodeBody(response: WireResponse): Buffer | null {
  const declared = findHeader(response.headers, 'content-encoding')
  if (declared === null || response.body.length === 0) return response.body
  const codings = declared.split(',').map((coding) => coding.trim().toLowerCase())
  let body = response.body
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
