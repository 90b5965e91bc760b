import { METHODS } from 'node:http'
import { PlainHeaders } from '../plain-headers.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** Longest request line and header section together, the empty line included. */
export const MAX_HEADER_BYTES = 16_384
/** Longest request target; deep links with long queries stay far below. */
const MAX_TARGET_CHARS = 8_192
const MAX_FIELDS = 100

/** The request line and header section, parsed once they are unambiguous. */
export interface RequestHeader {
  readonly method: string
  /** As it was sent: printable ASCII. */
  readonly target: string
  readonly headers: PlainHeaders
  /** Bytes of the body that follows; null for a body in chunks, whose length its end tells. */
  readonly bodyBytes: number | null
  /** Another request may follow on the connection (RFC 9112 §9.3); never after HTTP/1.0. */
  readonly keepAlive: boolean
  /** The client waits for 100 Continue before it sends the body (RFC 9110 §10.1.1). */
  readonly expectsContinue: boolean
  /** HTTP/1.0: such a request may lack a Host, and must not be answered with 100. */
  readonly isHttp10: boolean
}

const CARRIAGE_RETURN = 0x0d
const CRLF = '\r\n'
const END_OF_HEADER = '\r\n\r\n'
const REQUEST_LINE = new RegExp(`^(${METHODS.join('|')}) ([\\x21-\\x7e]+) HTTP/1\\.([01])$`)
/** A token (RFC 9110 §5.6.2), in lower case. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
/** Everything but tab, visible ASCII, obs-text and whole CRLFs: a line ends in one way only (RFC 9112 §2.2). */
const MALFORMED = /[^\t\r\n\x20-\x7e\x80-\xff]|\r[^\n]|(?<!\r)\n/
/** Methods whose body has no meaning and could hide a second request from recipients that ignore it (RFC 9110 §9.3.1). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Finds the end of the header section, empty line included; null while it has not arrived. `scanned` bytes need no second look. Malformed
 * and overlong sections are refused without waiting for the rest, however packets are cut.
 */
export function findHeaderEnd(bytes: Buffer, scanned: number): number | Refusal | null {
  const limit = Math.min(bytes.length, MAX_HEADER_BYTES)
  const found = bytes.subarray(0, limit).indexOf(END_OF_HEADER, Math.max(0, scanned - 3), 'latin1')
  const end = found === -1 ? null : found + END_OF_HEADER.length
  const from = bytes[scanned - 1] === CARRIAGE_RETURN ? scanned - 1 : scanned // judged with what follows it
  if (MALFORMED.test(bytes.toString('latin1', from, end ?? limit)))
    return refuse(400, 'malformed bytes in the header')
  if (end === null && limit === MAX_HEADER_BYTES) return refuse(431, 'the header is too long')
  return end
}

/**
 * Parses a request line and header section (RFC 9112), of which `findHeaderEnd` found the end. No folded or empty lines before
 * or between, no space before a colon, one length or `chunked`: what lenient servers repair is refused.
 */
export function parseRequestHeader(bytes: Buffer, end: number): RequestHeader | Refusal {
  const text = bytes.toString('latin1', 0, end - CRLF.length)
  const lineEnd = text.indexOf(CRLF)
  const [line, method = '', target = '', minor] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? []
  if (line === undefined) return refuse(400, 'no valid request line')
  if (target.length > MAX_TARGET_CHARS) return refuse(414, 'the request target is too long')
  const headers = parseHeaderSection(text, lineEnd + CRLF.length)
  if ('status' in headers) return headers
  return readFraming(method, target, minor === '0', headers)
}

/** A second Host or Content-Length is refused here, because the table would join it to the first. */
function parseHeaderSection(text: string, start: number): PlainHeaders | Refusal {
  const headers = new PlainHeaders()
  let fields = 0
  for (let at = start; at < text.length; ) {
    const end = text.indexOf(CRLF, at)
    const colon = text.indexOf(':', at)
    if (colon === -1 || colon > end) return refuse(400, 'a header without a colon')
    const name = text.slice(at, colon).toLowerCase()
    if (!FIELD_NAME.test(name)) return refuse(400, 'a header name that is none')
    if ((name === 'host' || name === 'content-length') && headers.has(name))
      return refuse(400, `two ${name} headers`)
    fields += 1
    if (fields > MAX_FIELDS) return refuse(431, 'too many headers')
    headers.append(name, trimBlanks(text, colon + 1, end))
    at = end + CRLF.length
  }
  return headers
}

/** The value without the spaces and tabs around it (RFC 9112 §5.1); `trim` would take more than those. */
function trimBlanks(text: string, start: number, end: number): string {
  let [first, last] = [start, end]
  while (first < last && isBlank(text.charCodeAt(first))) first += 1
  while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1
  return text.slice(first, last)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

function readFraming(
  method: string,
  target: string,
  isHttp10: boolean,
  headers: PlainHeaders,
): RequestHeader | Refusal {
  const coding = headers.get('transfer-encoding')
  const length = headers.get('content-length')
  if (coding !== null && (coding !== 'chunked' || length !== null || isHttp10))
    return refuse(400, 'a transfer coding other than chunked, or beside a length or HTTP/1.0')
  if (length !== null && !/^\d{1,15}$/.test(length)) return refuse(400, 'a Content-Length that is no number')
  const bodyBytes = coding === null ? Number(length ?? 0) : null
  if (bodyBytes !== 0 && WITHOUT_BODY.has(method)) return refuse(400, `a body of ${method}`)
  const expectation = isHttp10 ? null : headers.get('expect') // HTTP/1.0 knows none: ignored (RFC 9110 §10.1.1)
  if (expectation !== null && expectation.toLowerCase() !== '100-continue') {
    return refuse(417, 'an expectation other than 100-continue')
  }
  const keepAlive = !isHttp10 && !hasToken(headers.get('connection'), 'close')
  const expectsContinue = expectation !== null && bodyBytes !== 0
  return { method, target, headers, bodyBytes, keepAlive, expectsContinue, isHttp10 }
}

function hasToken(list: string | null, token: string): boolean {
  return list?.split(',').some((entry) => entry.trim().toLowerCase() === token) === true
}
