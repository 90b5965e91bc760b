import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { UnavailableError } from '../storage/unavailable-error.ts'

export interface KeySetOptions {
  readonly url: URL
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly timeoutMs?: number
}

/** Without a max-age the keys are trusted this long; with one, never longer than a day. */
const DEFAULT_AGE_MS = 300_000
const MAX_AGE_MS = 86_400_000
/** An unknown `kid` asks for fresh keys at most this often, or forged tokens would make us hammer the issuer. */
const COOLDOWN_MS = 30_000

/** Google's and the CIs' key sets and documents are below 20 KB. */
const MAX_DOCUMENT_BYTES = 512 * 1024

interface KnownKeys {
  readonly find: JWTVerifyGetKey
  readonly readAtMs: number
  readonly expiresAtMs: number
}

/**
 * The issuer's published keys, kept exactly as long as its Cache-Control allows. Keys that have expired are
 * never used again, so an issuer that cannot be reached ends in a fault and not in an old key accepted.
 */
export function createRemoteKeys(options: KeySetOptions): JWTVerifyGetKey {
  const { now } = options
  let known: KnownKeys | null = null
  let reading: Promise<KnownKeys> | null = null

  function readAgain(): Promise<KnownKeys> {
    reading ??= readKeys(options)
      .then((keys) => {
        known = keys
        return keys
      })
      .finally(() => {
        reading = null
      })
    return reading
  }

  /** A clock set back must not lengthen the life of a key. */
  function isCurrent({ readAtMs, expiresAtMs }: KnownKeys): boolean {
    return now() >= readAtMs && now() < expiresAtMs
  }

  return async (header, token) => {
    const keys = known !== null && isCurrent(known) ? known : await readAgain()
    try {
      return await keys.find(header, token)
    } catch (error) {
      const mayBeNew = error instanceof errors.JWKSNoMatchingKey && now() - keys.readAtMs >= COOLDOWN_MS
      if (!mayBeNew) throw error
      return (await readAgain()).find(header, token)
    }
  }
}

async function readKeys({ url, fetch, now, timeoutMs = 5_000 }: KeySetOptions): Promise<KnownKeys> {
  const readAtMs = now()
  try {
    const { document, headers } = await fetchDocument(fetch, url, timeoutMs)
    const find = createLocalJWKSet(document as JSONWebKeySet) // throws unless it is a key set
    return { find, readAtMs, expiresAtMs: readAtMs + readMaxAgeMs(headers.get('cache-control')) }
  } catch (cause) {
    throw new UnavailableError('identity_unavailable', "the issuer's keys cannot be read", { cause })
  }
}

/** A document that an issuer publishes about itself, within its bounds of bytes and time. */
export async function fetchJson(send: typeof fetch, url: string | URL, timeoutMs: number): Promise<unknown> {
  return (await fetchDocument(send, url, timeoutMs)).document
}

async function fetchDocument(send: typeof fetch, url: string | URL, timeoutMs: number) {
  const response = await boundFetch(send, { maxBytes: MAX_DOCUMENT_BYTES, timeoutMs })(url, {
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return { document: (await response.json()) as unknown, headers: response.headers }
}

function readMaxAgeMs(cacheControl: string | null): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? DEFAULT_AGE_MS : Math.min(Number(seconds) * 1_000, MAX_AGE_MS)
}
