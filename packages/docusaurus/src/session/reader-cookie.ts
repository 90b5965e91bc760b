import { cookieNames } from '@sekisho/contract/cookies'
import { type Reader, readReader } from '@sekisho/contract/session-response'

/**
 * Reads the cookie the gate sets for display: base64url of JSON `{ email, name }`. On https only the `__Host-`
 * one counts, because a neighbouring host could have planted the other.
 */
export function readReaderCookie(cookies: string, isHttps: boolean): Reader | null {
  const { reader: name } = cookieNames(isHttps)
  const pairs = cookies.split('; ').filter((pair) => pair.startsWith(`${name}=`))
  const [pair] = pairs
  if (pair === undefined || pairs.length > 1) return null
  try {
    return readReader(JSON.parse(decodeBase64Url(pair.slice(name.length + 1))))
  } catch {
    return null
  }
}

function decodeBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  )
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
