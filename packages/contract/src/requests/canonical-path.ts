/** Separators, the escape character, NUL and path parameters, encoded or bare: each is read differently by some server. */
const AMBIGUOUS = /\/\/|[\\;]|%(?:2f|5c|25|3b|23|3f|00)/i

/** C0, DEL and C1 controls: no file of a release is named with one, and logs must not carry one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Paths of unreserved characters whose segments begin with none of the dots: nothing in them can be encoded, decoded
 * or resolved away, so they are canonical as they stand. Most requests are for such a path.
 */
const PLAIN = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/

/** Longest path as sent: a name of a file has at most 255 bytes, which is 765 characters where all are encoded. */
const MAX_CHARS = 8_192

/**
 * Returns the decoded path of a request, or null unless it has the one accepted form: NFC, UTF-8, percent-encoded exactly as in the URL
 * standard, upper-case hex, no dot or empty segments. Never repairs a path: readers may disagree on repairs.
 */
export function canonicalPath(url: string): string | null {
  const sent = pathnameOf(url)
  if (sent.length > MAX_CHARS) return null
  if (PLAIN.test(sent)) return sent
  const path = equivalentPath(url)
  return path !== null && encodePath(path) === new URL(url).pathname ? path : null
}

/**
 * The decoded path that every reading of a URL agrees on, in any spelling that RFC 3986 §6.2.2 calls equivalent: other characters
 * percent-encoded, lower-case hex. Null for an ambiguous path. Never a key of a release: a request is sent on to `encodePath` of it.
 */
export function equivalentPath(url: string): string | null {
  const { pathname } = new URL(url)
  if (AMBIGUOUS.test(pathname)) return null
  const path = decodeOrNull(pathname)
  return path === null || CONTROL.test(path) || path.normalize('NFC') !== path ? null : path
}

/** Percent-encodes a decoded path into the one form that `canonicalPath` accepts. */
export function encodePath(path: string): string {
  const url = new URL('http://path.invalid/')
  url.pathname = path
  return url.pathname
}

/** A path or an address decoded; as it is where it holds a stray `%`. */
export function decodeOrSame(text: string, decode: (text: string) => string = decodeURIComponent): string {
  try {
    return decode(text)
  } catch {
    return text
  }
}

function decodeOrNull(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}

/** The path of an absolute URL, as it was sent. */
export function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  const path = query === -1 ? url.slice(start) : url.slice(start, query)
  const hash = path.indexOf('#')
  return hash === -1 ? path : path.slice(0, hash)
}
