import { METHODS } from 'node:http'
import { PlainHeaders } from './plain-headers.ts'

/** Longest request head, from the request line to the empty line. */
export const MAX_HEAD_BYTES = 16_384
/** Longest request target; deep links with long queries stay far below. */
export const MAX_TARGET_CHARS = 8_192
/** Longest target of a search: 10,000 characters of any script take up to 12 bytes each once encoded. */
export const MAX_SEARCH_TARGET_CHARS = 122_880
/** Longest request head of a search. */
export const MAX_SEARCH_HEAD_BYTES = MAX_HEAD_BYTES + MAX_SEARCH_TARGET_CHARS
const MAX_FIELDS = 100

export type RefusedStatus = 400 | 405 | 408 | 411 | 413 | 414 | 417 | 431 | 503

/** What a request head said, once it is known to say one thing only. */
export interface RequestHead {
  readonly method: string
  /** As it was sent: printable ASCII. */
  readonly target: string
  readonly headers: PlainHeaders
  /** Bytes of the body that follows. */
  readonly bodyBytes: number
  /** Whether another request may follow on the connection (RFC 9112 §9.3); HTTP/1.0 always ends it. */
  readonly keepAlive: boolean
}

export type HeadReading =
  | { readonly kind: 'read'; readonly head: RequestHead }
  | { readonly kind: 'refused'; readonly status: RefusedStatus }

/** Content there has no meaning and hides a second request from whoever ignores it (RFC 9110 §9.3.1). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const REQUEST_LINE = new RegExp(`^(${METHODS.join('|')}) ([\\x21-\\x7e]+) HTTP/1\\.([01])$`)
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Everything but tab, visible ASCII, obs-text and whole CRLFs: a line ends in one way only (RFC 9112 §2.2). */
const MALFORMED = /[^\t\r\n\x20-\x7e\x80-\xff]|\r[^\n]|(?<!\r)\n/

/** The API and the page of results: what readers paste into them is asked for in the address. */
const SEARCH = /^(?:GET|HEAD) \/(?:__gate\/)?search\?/
/** Bytes of a head that tell whether it asks for a search. */
export const SEARCH_PREFIX_BYTES = 'HEAD /__gate/search?'.length

/** Whether a head, of which these are the first bytes at least, asks for a search. */
export function isSearchHead(start: string): boolean {
  return SEARCH.test(start)
}

/** Whether bytes of a head, whole or not, hold something that no head may hold: refused without waiting for the rest. */
export function isMalformed(text: string): boolean {
  return MALFORMED.test(text)
}

/** Longer heads are read anew each time, so that connections at rest stay small. */
const MAX_KEPT_BYTES = 4_096
const END_OF_HEAD = '\r\n\r\n'
const CARRIAGE_RETURN = 0x0d
const NOTHING = Buffer.alloc(0)

/** A head that is read, and how many bytes it took, the empty line included. */
export interface TakenHead {
  readonly reading: HeadReading
  readonly bytes: number
}

export interface HeadReader {
  /** Reads the head whose empty line begins at `end`, where `findEndOfHead` found it. */
  read(bytes: Buffer, end: number): TakenHead
  /** Reads a head whose field lines are to the byte those read last; null when `bytes` begins with no such head. */
  readRepeated(bytes: Buffer): TakenHead | null
}

/** Where the line end before the empty line is, looked for from `start` on; -1 when there is none yet. */
export function findEndOfHead(bytes: Buffer, start: number): number {
  return bytes.indexOf(END_OF_HEAD, start, 'latin1')
}

/**
 * Reads the request heads of one connection by the grammar of RFC 9112, and only by that: no folded or empty lines
 * before or between, no space before a colon, no bare line end, one length, no transfer coding. What lenient servers
 * repair is refused. A client's requests often repeat their field lines to the byte: those are read once.
 */
export function createHeadReader(): HeadReader {
  let own = NOTHING // a part of what was received would keep the whole in memory
  let kept: { readonly bytes: Buffer; readonly headers: PlainHeaders } | null = null

  /** Keeps everything behind the request line, both line ends included: nothing in it can end a head earlier. */
  function keep(bytes: Buffer, headers: PlainHeaders): void {
    if (own.length < bytes.length) own = Buffer.allocUnsafeSlow(bytes.length)
    bytes.copy(own)
    kept = { bytes: own.subarray(0, bytes.length), headers: headers.seal() }
  }

  return {
    read(bytes, end) {
      const text = bytes.toString('latin1', 0, end + 2)
      const lineEnd = text.indexOf('\r\n')
      const took = end + END_OF_HEAD.length
      const line = readRequestLine(text.slice(0, lineEnd))
      if (typeof line === 'number') return { reading: refused(line), bytes: took }
      if (text.length - line.target.length > MAX_HEAD_BYTES) return { reading: refused(431), bytes: took }
      const headers = readFields(text.slice(lineEnd + 2))
      if (typeof headers === 'number') return { reading: refused(headers), bytes: took }
      if (took <= MAX_KEPT_BYTES) keep(bytes.subarray(lineEnd, took), headers)
      return { reading: judgeFraming(line, headers), bytes: took }
    },
    readRepeated(bytes) {
      if (kept === null) return null
      const lineEnd = bytes.indexOf(CARRIAGE_RETURN)
      const took = lineEnd + kept.bytes.length
      if (lineEnd === -1 || took > bytes.length || took > MAX_KEPT_BYTES) return null
      if (kept.bytes.compare(bytes, lineEnd, took) !== 0) return null
      const line = readRequestLine(bytes.toString('latin1', 0, lineEnd))
      return {
        reading: typeof line === 'number' ? refused(line) : judgeFraming(line, kept.headers),
        bytes: took,
      }
    },
  }
}

interface RequestLine {
  readonly method: string
  readonly target: string
  readonly isNewest: boolean
}

function readRequestLine(text: string): RequestLine | RefusedStatus {
  const [line, method = '', target = '', minor] = REQUEST_LINE.exec(text) ?? []
  if (line === undefined) return 400
  if (target.length > (isSearchHead(line) ? MAX_SEARCH_TARGET_CHARS : MAX_TARGET_CHARS)) return 414
  return { method, target, isNewest: minor === '1' }
}

/** Reads the field lines; a second Host or length is refused here, because a table forgets it. */
function readFields(text: string): PlainHeaders | RefusedStatus {
  if (isMalformed(text)) return 400
  const headers = new PlainHeaders()
  let fields = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (colon === -1 || colon > end) return 400
    const name = readName(text.slice(at, colon))
    if (name === null) return 400
    if ((name === 'host' || name === 'content-length') && headers.has(name)) return 400
    fields += 1
    if (fields > MAX_FIELDS) return 431
    headers.appendFolded(name, fieldValue(text, colon + 1, end))
    at = end + 2
  }
  return headers
}

/** The value without the spaces and tabs around it (RFC 9112 §5.1); `trim` would take more than those. */
function fieldValue(text: string, from: number, to: number): string {
  let [first, last] = [from, to]
  while (first < last && isBlank(text.charCodeAt(first))) first += 1
  while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1
  return text.slice(first, last)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

function judgeFraming({ method, target, isNewest }: RequestLine, headers: PlainHeaders): HeadReading {
  const coding = headers.get('transfer-encoding')
  const length = headers.get('content-length')
  if (coding !== null) return refused(coding === 'chunked' && length === null && isNewest ? 411 : 400)
  if (length !== null && !/^\d{1,15}$/.test(length)) return refused(400)
  const bodyBytes = Number(length ?? 0)
  if (bodyBytes > 0 && WITHOUT_BODY.has(method)) return refused(400)
  const keepAlive = isNewest && !hasToken(headers.get('connection'), 'close')
  return { kind: 'read', head: { method, target, headers, bodyBytes, keepAlive } }
}

function hasToken(list: string | null, token: string): boolean {
  return list?.split(',').some((entry) => entry.trim().toLowerCase() === token) === true
}

/** Names come again with every request; folding and judging one anew costs more than finding it. */
const MAX_REMEMBERED = 256
const remembered = new Map<string, string>()

function readName(spelled: string): string | null {
  const known = remembered.get(spelled)
  if (known !== undefined) return known
  if (!FIELD_NAME.test(spelled)) return null
  const name = spelled.toLowerCase()
  if (remembered.size < MAX_REMEMBERED && spelled.length <= 64) remembered.set(spelled, name)
  return name
}

function refused(status: RefusedStatus): HeadReading {
  return { kind: 'refused', status }
}
