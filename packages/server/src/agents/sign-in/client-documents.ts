import { Resolver } from 'node:dns/promises'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'

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

/** Non-public addresses (RFC 6890 and its registries), written as IPv4 or IPv6. */
const PRIVATE = new BlockList()
for (const [net, bits] of [
  ...[
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ],
  ...[
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ],
  ...[
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
/** Of IPv6 only global unicast, less what leads back to IPv4, and documentation. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23], // Teredo, ORCHID and other protocol assignments
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

/** Tells if an address is publicly reachable on the internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.check(address, 'ipv4')
  return isIP(address) === 6 && GLOBAL.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
}

/** Reads a client id that is the address of a document; null for one that is not, or not in the one form of it. */
export function readDocumentUrl(id: string): URL | null {
  const url = id.length <= MAX_ID_CHARS && id.startsWith('https://') ? URL.parse(id) : null
  if (url === null || url.href !== id || url.hash !== '' || id.endsWith('#')) return null
  const isPlain = url.username === '' && url.password === '' && url.port === '' && url.pathname !== '/'
  return isPlain && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url : null
}

/** Reads a document; null unless it is of this very id (draft-ietf-oauth-client-id-metadata-document, section 4). */
export function readClientDocument(id: string, text: string): ClientDocument | null {
  const value = parse(text)
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Brings the text behind an address and for how long it may be kept, or null. */
export type FetchDocument = (url: URL) => Promise<{ readonly text: string; readonly maxAgeMs: number } | null>

export interface FetchOptions {
  /** All addresses of a host. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  readonly request?: typeof httpsRequest
  readonly timeoutMs?: number
}

const DNS = { timeout: 1_500, tries: 2, maxTimeout: 3_000 }
const NO_ADDRESSES: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * All addresses by c-ares, on sockets of its own: `dns.lookup` holds one of libuv's four threads for as long as a name server likes, and
 * with them every other lookup and file of the gate.
 */
async function resolveAll(host: string): Promise<readonly string[]> {
  const resolver = new Resolver(DNS)
  const none = (error: { readonly code?: unknown }): string[] => {
    if (NO_ADDRESSES.has(error.code)) return []
    throw error
  }
  const found = [resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]
  try {
    return (await Promise.all(found)).flat()
  } finally {
    resolver.cancel()
    await Promise.allSettled(found)
  }
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
  const family = isIP(address)
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      signal,
      agent: false, // no connection is shared with anybody else's request
      headers: { Accept: 'application/json' },
      // The certificate is the host's; the address is the one that was looked at. Node asks for all of them or for one.
      lookup: (_host, { all }, done) =>
        all === true ? done(null, [{ address, family }]) : done(null, address, family),
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
