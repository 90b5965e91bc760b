import type { RefusedStatus, RequestHead } from './request-head.ts'

/** The Fetch standard forbids these, so no Request can carry them. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['TRACE', 'TRACK'])

/** Which resource a request head names, or why it is refused. */
export type WireReading =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly status: RefusedStatus }

/** The one origin and the one Host that requests may name; a URL would spell them anew at each question. */
export type OurAddress = Pick<URL, 'origin' | 'host'>

/**
 * Judges a well-formed head before the gate sees it, because URL parsing repairs (`\`, `..`, tabs). Whatever
 * parsing would change is refused instead.
 */
export function readWire({ method, target, headers }: RequestHead, ours: OurAddress): WireReading {
  if (FORBIDDEN_METHODS.has(method)) return refuse(405)
  if (method === 'CONNECT') return refuse(400)
  if (headers.has('expect')) return refuse(417)
  if (headers.has('upgrade')) return refuse(400)
  // RFC 9112 §3.2: the reader saw to it that there is one at most; another host's is forged or misrouted.
  if (headers.get('host')?.toLowerCase() !== ours.host) return refuse(400)

  const url = `${ours.origin}${originForm(target, ours.host)}`
  const survivesParsing = !target.includes('#') && URL.parse(url)?.href === url
  return survivesParsing ? { ok: true, url } : refuse(400)
}

function refuse(status: RefusedStatus): WireReading {
  return { ok: false, status }
}

/** RFC 9112 §3.2.2: a server accepts the absolute form too; only for this host, and spelled as we spell it. */
function originForm(target: string, host: string): string {
  if (target.startsWith('/')) return target
  for (const scheme of ['http:', 'https:']) {
    const prefix = `${scheme}//${host}`
    if (target.startsWith(`${prefix}/`)) return target.slice(prefix.length)
  }
  return '#'
}
