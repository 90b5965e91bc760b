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

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)
/** Content there has no meaning and hides a second request from whoever ignores it (RFC 9110 §9.3.1). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const REQUEST_LINE = /^([A-Z-]+) ([\x21-\x7e]+) HTTP\/1\.([01])$/
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

/** The field lines of longer heads are read anew each time, so that connections at rest stay small. */
const MAX_KEPT_CHARS = 4_096

/**
 * Reads the request heads of one connection by the grammar of RFC 9112, and only by that: no folded or empty lines
 * before or between, no space before a colon, no bare line end, one length, no transfer coding. What lenient servers
 * repair is refused. A client's requests often repeat their field lines to the byte: those are read once.
 * @returns a function of the head as Latin-1, from the request line to the CRLF before the empty line, that one included
 */
export function createHeadReader(): (text: string) => HeadReading {
  let keptText: string | null = null
  let kept = new PlainHeaders().seal()

  function readKnownFields(head: string, start: number): PlainHeaders | RefusedStatus {
    const text = head.slice(start)
    if (text === keptText) return kept
    const read = readFields(text)
    if (!(read instanceof PlainHeaders)) return read
    if (head.length > MAX_KEPT_CHARS) return read // a part of a text keeps the whole of it in memory
    keptText = text
    kept = read.seal()
    return kept
  }

  return (text) => {
    const lineEnd = text.indexOf('\r\n')
    const [line, method = '', target = '', minor] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? []
    if (line === undefined || !KNOWN_METHODS.has(method)) return refused(400)
    if (target.length > (isSearchHead(line) ? MAX_SEARCH_TARGET_CHARS : MAX_TARGET_CHARS)) return refused(414)
    if (text.length - target.length > MAX_HEAD_BYTES) return refused(431)
    const headers = readKnownFields(text, lineEnd + 2)
    if (!(headers instanceof PlainHeaders)) return refused(headers)
    return judgeFraming({ method, target, headers, isNewest: minor === '1' })
  }
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

function judgeFraming(
  read: Pick<RequestHead, 'method' | 'target' | 'headers'> & { isNewest: boolean },
): HeadReading {
  const { method, target, headers, isNewest } = read
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
