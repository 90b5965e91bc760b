import { type Refusal, refuse } from '../refusal.ts'
import type { RequestHeader } from './parse-request.ts'

/** The Fetch standard forbids these, so no Request can carry them. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['TRACE', 'TRACK'])
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' }
const MAX_QUOTED_CHARS = 100
/** Unreserved characters in segments that begin with no dot: URL parsing leaves such a path as it is, so it need not be asked. */
const PLAIN = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\/?$/

/** The addresses that requests may name. */
export interface OwnAddress {
  readonly origin: string
  /** Values of Host that name us, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly host: string
  /** Request targets that GET and HEAD may name under any Host: load balancers probe by address. */
  readonly hostIndependentTargets: ReadonlySet<string>
}

/** Values of Host that name an origin, in lower case: itself, and with the port that goes without saying. */
export function hostValues({ host, protocol, port }: URL): readonly string[] {
  return port === '' ? [host, host + (DEFAULT_PORTS[protocol] ?? '')] : [host]
}

export function createOwnAddress(origin: URL, hostIndependentTargets: ReadonlySet<string>): OwnAddress {
  const hosts = new Set(hostValues(origin))
  return { origin: origin.origin, host: origin.host, hosts, hostIndependentTargets }
}

/**
 * Returns the URL that a request names. It is judged before anything parses it, because URL parsing repairs (`\`, `..`,
 * tabs): whatever parsing would change is refused instead.
 */
export function resolveTarget(
  { method, target, headers, isHttp10 }: RequestHeader,
  own: OwnAddress,
): string | Refusal {
  if (FORBIDDEN_METHODS.has(method)) return refuse(405, `the method ${method}`)
  if (method === 'CONNECT') return refuse(400, 'the method CONNECT')
  const host = headers.get('host') // one at most: the parser saw to it
  const isOurs = host !== null && own.hosts.has(host.toLowerCase())
  if (!isOurs && !((host !== null || isHttp10) && isAnyHostAllowed(method, target, own))) {
    if (host === null) return refuse(400, 'no Host')
    // RFC 9112 §3.2: another host's request is forged or misrouted.
    return refuse(400, `Host ${quote(host)}, expected ${quote(own.host)}`, true)
  }
  if (PLAIN.test(target)) return own.origin + target
  const url = `${own.origin}${originForm(target, own.host)}`
  const survivesParsing = !target.includes('#') && URL.parse(url)?.href === url
  return survivesParsing ? url : refuse(400, 'a request target that URL parsing would change')
}

function isAnyHostAllowed(method: string, target: string, own: OwnAddress): boolean {
  return (method === 'GET' || method === 'HEAD') && own.hostIndependentTargets.has(target)
}

/** JSON escapes control characters and quotes; the rest of a header is visible. */
function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text)
}

/** RFC 9112 §3.2.2: a server accepts the absolute form too; only for this host, written as we write it. */
function originForm(target: string, host: string): string {
  if (target.startsWith('/')) return target
  for (const scheme of ['http:', 'https:']) {
    const prefix = `${scheme}//${host}`
    if (target.startsWith(`${prefix}/`)) return target.slice(prefix.length)
  }
  return '#'
}
