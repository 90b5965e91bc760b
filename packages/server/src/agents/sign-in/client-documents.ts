import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { parseOrNull } from '@sekisho/contract/json-shape'
import { isPublicAddress, lookupOf, resolveAll } from '../../kernel/client/public-address.ts'

/** Metadata of a client at the address that is its id. */
interface ClientDocument {
  readonly name: string
  readonly redirects: readonly string[]
}

const MAX_BYTES = 5_120
const TIMEOUT_MS = 10_000
const MAX_ID_CHARS = 512
const MAX_NAME_CHARS = 80
const MAX_REDIRECTS = 20

/** Reads a client id that is the address of a document; null for one that is not, or not in the one form of it. */
export function readDocumentUrl(id: string): URL | null {
  const url = id.length <= MAX_ID_CHARS && id.startsWith('https://') ? URL.parse(id) : null
  if (url === null || url.href !== id || url.hash !== '' || id.endsWith('#')) return null
  const isPlain = url.username === '' && url.password === '' && url.port === '' && url.pathname !== '/'
  return isPlain && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url : null
}

/** Reads a document; null unless it is of this very id (draft-ietf-oauth-client-id-metadata-document, section 4). */
export function readClientDocument(id: string, text: string): ClientDocument | null {
  const value = parseOrNull(text)
  if (typeof value !== 'object' || value === null || !('client_id' in value) || value.client_id !== id)
    return null
  return readClientMetadata(value)
}

/** Reads a client's metadata, from its document or registration (RFC 7591): redirect addresses, and a name. */
export function readClientMetadata(value: object): ClientDocument | null {
  const redirects: unknown = 'redirect_uris' in value ? value.redirect_uris : null
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS) return null
  if (!redirects.every((one) => typeof one === 'string')) return null
  const name: unknown = 'client_name' in value ? value.client_name : ''
  return typeof name === 'string' ? { name: plainName(name), redirects } : null
}

/** A name as text of one line: nothing that turns writing round or hides. */
function plainName(name: string): string {
  const visible = name.normalize('NFKC').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  return visible.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS).toWellFormed()
}

/** Brings the text behind an address and for how long it may be kept, or null. */
export type FetchDocument = (url: URL) => Promise<{ readonly text: string; readonly maxAgeMs: number } | null>

export interface FetchOptions {
  /** All addresses of a host. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  readonly request?: typeof httpsRequest
  readonly timeoutMs?: number
}

/**
 * Creates the function that fetches a client's document from an untrusted address. Resolves the host once, refuses it if any address is not
 * public, and connects to a checked address, not to a later resolution. Follows no redirect and sends no identity.
 */
export function createFetchDocument(options: FetchOptions = {}): FetchDocument {
  const { resolve = resolveAll, request = httpsRequest, timeoutMs = TIMEOUT_MS } = options
  return async (url) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const addresses = await Promise.race([resolve(url.hostname), rejected(signal)])
      const [address] = addresses
      if (address === undefined || !addresses.every(isPublicAddress)) return null
      return await fetchFrom(url, address, { request, signal })
    } catch {
      return null // nothing of a fault goes to whoever named the address
    }
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

function fetchFrom(
  url: URL,
  address: string,
  { request, signal }: { readonly request: typeof httpsRequest; readonly signal: AbortSignal },
): ReturnType<FetchDocument> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      signal,
      agent: false, // no connection is shared with anybody else's request
      headers: { Accept: 'application/json' },
      lookup: lookupOf(address),
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      const type = response.headers['content-type'] ?? ''
      if (response.statusCode !== 200 || !/^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(type)) {
        asked.destroy()
        resolve(null)
        return
      }
      const parts: Buffer[] = []
      let size = 0
      response.on('error', reject)
      response.on('data', (part: Buffer) => {
        size += part.byteLength
        if (size <= MAX_BYTES) parts.push(part)
        else asked.destroy(new Error('too long'))
      })
      response.on('end', () => {
        if (size > MAX_BYTES) return resolve(null)
        const maxAgeMs = maxAgeOf(response.headers['cache-control'] ?? '')
        resolve({ text: Buffer.concat(parts).toString('utf8'), maxAgeMs })
      })
    })
    asked.end()
  })
}

const MAX_AGE_S = 86_400

/** For how long a document may be kept: what it says, a day at most. */
function maxAgeOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0
  const [, seconds = '0'] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? []
  return Math.min(Number(seconds), MAX_AGE_S) * 1_000
}
