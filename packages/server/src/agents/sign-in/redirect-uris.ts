/** Hosts on which a program of the reader's own machine listens, on whatever port was free (RFC 8252, section 7.3). Three names, never taken for each other. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** The one address of another scheme: any program may claim a scheme, so each is a decision of its own. */
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'
const MAX_CHARS = 512

/** Permitted destination of a response. */
export interface RedirectUri {
  /** As it was written; compared and used like this. */
  readonly text: string
  readonly url: URL
  readonly isLoopback: boolean
}

/** Reads an address that a client may have its answers sent to; null for any other. */
export function readRedirectUri(text: string): RedirectUri | null {
  if (text.length > MAX_CHARS || !/^[\x21-\x7e]+$/.test(text) || text.includes('#')) return null
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (text === CURSOR) return { text, url, isLoopback: false }
  const isLoopback = url.protocol === 'http:' && LOOPBACK.has(url.hostname)
  return isLoopback || url.protocol === 'https:' ? { text, url, isLoopback } : null
}

/** Finds the address that is asked for among those of a client: character by character, but for the port of a loopback address. */
export function findRedirect(registered: readonly string[], asked: string): RedirectUri | null {
  const wanted = readRedirectUri(asked)
  if (wanted === null) return null
  return registered.some((one) => one === asked || isSameLoopback(readRedirectUri(one), wanted))
    ? wanted
    : null
}

/** The form in which clients that differ in loopback ports alone are the same. */
export function sharedForm(text: string): string {
  return readRedirectUri(text)?.isLoopback === true ? withoutPort(text) : text
}

function isSameLoopback(known: RedirectUri | null, wanted: RedirectUri): boolean {
  if (known === null || !known.isLoopback || !wanted.isLoopback) return false
  return withoutPort(known.text) === withoutPort(wanted.text)
}

/** The address without its loopback port, else as it was written: nothing of a path is resolved or decoded before it is compared. */
function withoutPort(text: string): string {
  const [, host = text, path = ''] = /^(http:\/\/(?:\[::1\]|[^:/?]+))(?::\d+)?([\s\S]*)/.exec(text) ?? []
  return host + (path === '' ? '/' : path)
}
