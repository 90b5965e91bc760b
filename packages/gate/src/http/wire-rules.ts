import type { IncomingMessage } from 'node:http'
import type { PlainHeaders } from './plain-headers.ts'

/** Longest request target; deep links with long queries stay far below. */
export const MAX_TARGET_CHARS = 8192
const MAX_HEADER_COUNT = 100

/** The Fetch standard forbids these, so no Request can carry them. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT'])

/** What the wire said, once it is known to say one thing only. */
export type WireReading =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly status: 400 | 405 | 414 | 417 | 431 }

/**
 * Judges a request before a Request is made of it, because URL parsing repairs (`\`, `..`, tabs) and Request
 * forgets (a second Host). Whatever parsing would change is refused instead.
 */
export function readWire(message: IncomingMessage, headers: PlainHeaders, origin: URL): WireReading {
  const raw = message.url ?? ''
  if (raw.length > MAX_TARGET_CHARS) return refuse(414)
  if (message.rawHeaders.length > MAX_HEADER_COUNT * 2) return refuse(431)
  if (FORBIDDEN_METHODS.has(message.method ?? '')) return refuse(405)
  if (headers.has('expect')) return refuse(417)
  if (headers.has('upgrade')) return refuse(400)
  if (!isOneHost(message.rawHeaders, origin.host)) return refuse(400)
  if ((headers.get('transfer-encoding') ?? 'chunked') !== 'chunked') return refuse(400)

  const url = `${origin.origin}${originForm(raw, origin)}`
  const survivesParsing = !raw.includes('#') && URL.parse(url)?.href === url
  return survivesParsing ? { ok: true, url } : refuse(400)
}

function refuse(status: 400 | 405 | 414 | 417 | 431): WireReading {
  return { ok: false, status }
}

/** RFC 9112 §3.2.2: a server accepts the absolute form too; only for this host, and spelled as we spell it. */
function originForm(target: string, origin: URL): string {
  for (const scheme of ['http:', 'https:']) {
    const prefix = `${scheme}//${origin.host}`
    if (target.startsWith(`${prefix}/`)) return target.slice(prefix.length)
  }
  return target.startsWith('/') ? target : '#'
}

/** RFC 9112 §3.2: exactly one Host, and it is ours; anything else is a forged or misrouted request. */
function isOneHost(rawHeaders: readonly string[], host: string): boolean {
  let found: string | null = null
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (found !== null) return false
    found = rawHeaders[index + 1] ?? ''
  }
  return found?.toLowerCase() === host
}
