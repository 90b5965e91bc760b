/** One of our cookies in a request's Cookie header. */
export type CookieReading =
  | { readonly kind: 'absent' }
  /** Sent twice, quoted, or not of the shape we set: refused as a whole, never repaired or skipped. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'present'; readonly value: string }

/** Reads one cookie whose value must match `shape`; a name sent twice is malformed whichever value is right. */
export function readCookie(header: string | null, name: string, shape: RegExp): CookieReading {
  if (header === null) return { kind: 'absent' }
  let value: string | null = null
  for (let at = 0; at <= header.length; ) {
    const found = header.indexOf(';', at)
    const end = found === -1 ? header.length : found
    const pair = header.slice(at, end).trim()
    at = end + 1
    if (!pair.startsWith(name) || (pair.length > name.length && pair[name.length] !== '=')) continue
    if (value !== null) return { kind: 'malformed' }
    value = pair.slice(name.length + 1)
  }
  if (value === null) return { kind: 'absent' }
  return shape.test(value) ? { kind: 'present', value } : { kind: 'malformed' }
}

interface CookieOptions {
  readonly secure: boolean
  /** Hidden from scripts. */
  readonly httpOnly: boolean
  /** Zero expires the cookie at once. */
  readonly maxAgeSeconds: number
}

/** Serializes a Set-Cookie value; the caller guarantees that `value` holds only base64url characters. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${options.maxAgeSeconds}`, 'SameSite=Lax']
  if (options.secure) parts.push('Secure')
  if (options.httpOnly) parts.push('HttpOnly')
  return parts.join('; ')
}
