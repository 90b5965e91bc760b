import {
  type BlobReader,
  type Body,
  type CachePolicy,
  type Edition,
  ENCODING_SUFFIXES,
  type ReleaseFile,
  type StoredBytes,
} from '@sekisho/release'
import { BytesResponse, type GateRequest, type GateResponse, PlainHeaders } from '@sekisho/wire'
import type { FileResponse, ResponsePolicy } from '../kernel/reader.ts'
import { chooseRange } from './byte-range.ts'
import { chooseRepresentation, type Representation } from './negotiate.ts'

const CACHE_CONTROL: Readonly<Record<CachePolicy, string>> = {
  immutable: 'private, max-age=31536000, immutable',
  'no-store': 'private, no-store',
}

/**
 * Answers one file: encoding, preconditions and range, in the order RFC 9110 §13.2.2 gives them. At once when its
 * bytes are at hand; what cannot be read is always a rejection.
 */
export function answerFile(
  request: GateRequest,
  path: string,
  file: ReleaseFile,
  folder: string,
  reader: BlobReader,
): FileResponse | Promise<FileResponse> {
  const chosen = chooseRepresentation(file, request.headers.get('accept-encoding'))
  const { stored } = chosen
  const etag = etagOf(stored)
  const csp = policyOf(file)

  const verdict = judgePreconditions(request.headers, etag)
  if (verdict === 'failed') return { response: empty(412, describe(path, file, chosen)), csp }
  if (verdict === 'not-modified') return { response: empty(304, describe(path, file, chosen)), csp }
  const blob = blobOf(folder, file, chosen)
  const whole = (body: Body | null): FileResponse => ({
    response: respond(body, 200, describeWhole(path, file, chosen)),
    csp,
    file,
  })
  if (request.method === 'HEAD') return reader.check(blob, stored).then(() => whole(null))

  const range = isRangeCurrent(request.headers, etag)
    ? chooseRange(request.headers.get('range'), stored.bytes)
    : ({ kind: 'whole' } as const)
  if (range.kind === 'whole') {
    const held = reader.held(stored)
    return held === undefined ? reader.read(blob, stored).then(whole) : whole(held)
  }
  const headers = describe(path, file, chosen)
  if (range.kind === 'unsatisfiable') {
    headers.set('content-range', `bytes */${stored.bytes}`)
    return { response: empty(416, headers), csp }
  }
  headers.set('content-range', `bytes ${range.first}-${range.last}/${stored.bytes}`)
  headers.set('content-length', String(range.last - range.first + 1))
  return reader
    .read(blob, stored, range)
    .then((part) => ({ response: respond(part, 206, headers), csp, file }))
}

/** The site's own page for a path that is not there, in the language of its locale: status 404, never kept, never partial. */
export async function answerNotFoundPage(
  request: GateRequest,
  path: string,
  edition: Edition,
  folder: string,
  reader: BlobReader,
): Promise<FileResponse> {
  const notFound = notFoundPathOf(path, edition)
  const file = edition.files.get(notFound)
  if (file === undefined) throw new Error('an edition without its 404 page was let through')
  const chosen = chooseRepresentation(file, request.headers.get('accept-encoding'))
  const headers = describeBytes(notFound, file, chosen)
  headers.set('content-length', String(chosen.stored.bytes))
  const body = await reader.read(blobOf(folder, file, chosen), chosen.stored)
  const response = respond(request.method === 'HEAD' ? null : body, 404, headers)
  return { response, csp: policyOf(file) }
}

function notFoundPathOf(path: string, { notFound, files, localeSearches }: Edition): string {
  const name = notFound.slice(notFound.lastIndexOf('/') + 1)
  const bases = [...(localeSearches?.keys() ?? [])].filter((base) => path.startsWith(base))
  return bases.map((base) => base + name).find((own) => files.get(own)?.delivery === 'page') ?? notFound
}

function blobOf(folder: string, file: ReleaseFile, { encoding }: Representation): string {
  const name = `${folder}/${file.sha256}` // both ours; joining by path rules would cost a microsecond for nothing
  return encoding === null ? name : name + ENCODING_SUFFIXES[encoding]
}

/** The headers of a whole file. */
function describeWhole(path: string, file: ReleaseFile, chosen: Representation): PlainHeaders {
  const headers = describe(path, file, chosen)
  headers.set('content-length', String(chosen.stored.bytes))
  return headers
}

function describe(path: string, file: ReleaseFile, chosen: Representation): PlainHeaders {
  const headers = describeBytes(path, file, chosen)
  headers.set('etag', etagOf(chosen.stored))
  headers.set('accept-ranges', 'bytes')
  return headers
}

function etagOf({ sha256 }: StoredBytes): string {
  return `"${sha256.slice(0, 32)}"`
}

function describeBytes(path: string, file: ReleaseFile, { encoding }: Representation): PlainHeaders {
  const headers = new PlainHeaders()
  headers.set('content-type', file.type)
  headers.set('cache-control', CACHE_CONTROL[file.cache])
  if (isEncoded(file)) headers.set('vary', 'Accept-Encoding')
  if (encoding !== null) headers.set('content-encoding', encoding)
  if (file.delivery === 'download') headers.set('content-disposition', disposition(path))
  return headers
}

function isEncoded({ encodings }: ReleaseFile): boolean {
  return encodings.br !== undefined || Object.keys(encodings).length > 0
}

/** RFC 6266 with the UTF-8 form, so that a Japanese name survives; the path is canonical, so no quote or control is in it. */
function disposition(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `attachment; filename*=UTF-8''${encoded}`
}

const NONE: readonly string[] = []
/** Type of every script in a release that a browser would run. */
const SCRIPT_TYPE = 'text/javascript'

function policyOf(file: ReleaseFile): ResponsePolicy {
  if (file.delivery === 'page') {
    return { kind: 'page', scriptHashes: file.scriptHashes ?? NONE }
  }
  if (file.delivery !== 'resource') return { kind: 'isolated' }
  return { kind: file.type.startsWith(SCRIPT_TYPE) ? 'script' : 'bare' }
}

function respond(body: Body | null, status: number, headers: PlainHeaders): GateResponse {
  if (body === null || body instanceof Uint8Array) return new BytesResponse(body, { status, headers })
  return new Response(body, { status, headers })
}

/** 304 carries what the full answer would have said of itself; 412 and 416 say nothing of a body that is not there. */
function empty(status: 304 | 412 | 416, headers: PlainHeaders): GateResponse {
  if (status !== 304) {
    headers.delete('content-encoding')
    headers.delete('content-disposition')
    headers.set('content-length', '0')
  }
  return new BytesResponse(null, { status, headers })
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** Result of the preconditions: the response itself, 304, or 412 (RFC 9110 §13.2.2). */
type Precondition = 'proceed' | 'not-modified' | 'failed'

/** Judges `If-Match` and `If-None-Match` of a GET or HEAD. Dates are not judged: a release has no file times. */
function judgePreconditions(headers: Headers, etag: string): Precondition {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null && !names(ifMatch, etag, 'strong')) return 'failed'
  const ifNoneMatch = headers.get('if-none-match')
  return ifNoneMatch !== null && names(ifNoneMatch, etag, 'weak') ? 'not-modified' : 'proceed'
}

/** Tells if a `Range` may be honoured: there is no `If-Range`, or it names exactly this representation. */
function isRangeCurrent(headers: Headers, etag: string): boolean {
  const ifRange = headers.get('if-range')
  return ifRange === null || ifRange.trim() === etag
}

function names(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(ENTITY_TAG) ?? []
  return tags.some((tag) => (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag)
}
