import { findHeader, type WireRequest } from '../../client/request.ts'
import type { WireOutcome, WireResponse } from '../../client/response.ts'
import { CONTENT_HEADERS } from './judge.ts'

/**
 * Form of a request, by which a proxy may answer it without the gate. `ordinary`: sent by any browser, so the gate must answer. `unusual`:
 * well-formed, but may be refused. `malformed`: not HTTP to a proxy. `elsewhere`: for another site, or the proxy itself.
 */
export type Manner = 'ordinary' | 'unusual' | 'malformed' | 'elsewhere'

/** Statuses with which proxies refuse a request; neither 401 and 429 nor outages are among them. */
const REFUSALS: ReadonlySet<number> = new Set([
  400, 403, 404, 405, 408, 411, 413, 414, 417, 421, 422, 431, 501, 505,
])
/** Apache and Caddy call what they cannot read their own fault. */
const FAULTS: ReadonlySet<number> = new Set([500, 502])
/** Kept by a cache although nothing permits it (RFC 9110 §15.1). */
const CACHED_BY_DEFAULT: ReadonlySet<number> = new Set([404, 405, 410, 414, 501])

/** Form of a table row's request. */
export function mannerOf({ target, headers }: WireRequest, host: string): Manner {
  const authority = authorityOf(target) ?? findHeader(headers, 'Host')
  return authority === null || authority === host ? 'unusual' : 'elsewhere'
}

/** Form of the request that the response at `index` belongs to; the bytes may hold several requests. */
export function mannerOfBytes(bytes: string, index: number, host: string): Manner {
  const sections = bytes.split('\r\n\r\n').filter((section) => /^[A-Z]+ \S+ HTTP\//.test(section))
  const section = sections[index] ?? sections.at(-1)
  if (section === undefined) return 'malformed'
  const [method, target = ''] = section.split(' ')
  const hosts = [...section.matchAll(/^host: *(.*?)\r?$/gim)].map(([, name]) => name)
  const names = [authorityOf(target) ?? hosts].flat()
  const isToServer = target === '*' || method === 'CONNECT'
  return isToServer || !names.includes(host) ? 'elsewhere' : 'malformed'
}

/** The name in a target in absolute form; null in any other form. */
function authorityOf(target: string): string | null {
  return /^https?:\/\/([^/]*)/.exec(target)?.[1] ?? null
}

/** One answer, with what is needed to tell who gave it. */
export interface Answered {
  readonly manner: Manner
  /** True for GET or HEAD at the very address of a page, where a cached answer would persist. */
  readonly isAtPage: boolean
  readonly outcome: WireOutcome
  /** True for a body of the kind that this product sends; the gate's rules then apply. */
  readonly isOurs: boolean
}

/**
 * Tells harmless answers of a proxy from those of the gate (decisions/070). Both are searched for the release, and both must treat what
 * exists like what does not.
 */
export function isProxyAnswer({ manner, isAtPage, outcome, isOurs }: Answered): boolean {
  if (manner === 'ordinary') return false
  if (outcome.kind === 'timeout') return manner === 'malformed' && outcome.bytes.length === 0
  if (outcome.kind !== 'response' || isOurs) return false
  if (manner === 'elsewhere') return true
  const { status } = outcome.response
  const isRefusal = REFUSALS.has(status) || (manner === 'malformed' && FAULTS.has(status))
  return isRefusal && !describesContent(outcome.response) && !mayBeKept(outcome.response, isAtPage)
}

function describesContent({ headers }: WireResponse): boolean {
  return CONTENT_HEADERS.some((name) => findHeader(headers, name) !== null)
}

function mayBeKept({ status, headers }: WireResponse, isAtPage: boolean): boolean {
  const cacheControl = findHeader(headers, 'Cache-Control') ?? ''
  if (/\bno-store\b/.test(cacheControl)) return false
  if (/\bpublic\b|\bs-maxage\b|\bmax-age=0*[1-9]|\bstale-/.test(cacheControl)) return true
  if (findHeader(headers, 'Expires') !== null) return true
  return isAtPage && CACHED_BY_DEFAULT.has(status) && !/\bno-cache\b|\bprivate\b/.test(cacheControl)
}
