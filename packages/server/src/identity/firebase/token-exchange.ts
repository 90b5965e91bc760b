import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { parseOrNull } from '@sekisho/contract/json-shape'
import { readRetryAfterMs } from '../pace.ts'

/** Validity of a refresh token. */
export type ExchangeResult =
  | { readonly kind: 'alive'; readonly idToken: string; readonly refreshToken: string }
  | { readonly kind: 'gone'; readonly reason: string }
  /** An answer about this request that says nothing about the account: a bad API key, a code we do not know. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** No response of the service: no connection, a timeout, a fault or quota of its own, a foreign page. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly limitedMs?: number }

export type ExchangeRefreshToken = (refreshToken: string) => Promise<ExchangeResult>

interface TokenExchangeOptions {
  readonly apiKey: string
  readonly fetch: typeof fetch
  /** Sent as Referer: API keys are often restricted to the portal's own address. */
  readonly origin: URL
  readonly timeoutMs?: number
}

/** Three tokens and an account's id; each token is below 16 KB. */
const MAX_BYTES = 64 * 1024
const TOKEN_URL = 'https://securetoken.googleapis.com/v1/token'

/** The codes that speak about the account or its token. Anything else (a bad API key, a quota) does not. */
const GONE_CODES: ReadonlySet<string> = new Set([
  'TOKEN_EXPIRED',
  'USER_DISABLED',
  'USER_NOT_FOUND',
  'INVALID_REFRESH_TOKEN',
  'MISSING_REFRESH_TOKEN',
  'PROJECT_NUMBER_MISMATCH',
])

/** Asks Firebase's token service, which needs no service account; never throws for what the network does. */
export function createTokenExchange(options: TokenExchangeOptions): ExchangeRefreshToken {
  const url = new URL(TOKEN_URL)
  url.searchParams.set('key', options.apiKey)
  const send = boundFetch(options.fetch, { maxBytes: MAX_BYTES, timeoutMs: options.timeoutMs ?? 10_000 })
  return async (refreshToken) => {
    try {
      const response = await send(url, {
        method: 'POST',
        headers: { Referer: options.origin.href },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
        redirect: 'error',
      })
      const text = await response.text()
      if (response.status !== 429) return readAnswer(response.status, parseOrNull(text))
      const limitedMs = readRetryAfterMs(response.headers.get('retry-after'), Date.now())
      return { kind: 'unavailable', reason: 'rate_limited', limitedMs }
    } catch (error) {
      return { kind: 'unavailable', reason: error instanceof Error ? error.name : 'unknown' }
    }
  }
}

function readAnswer(status: number, body: unknown): ExchangeResult {
  const idToken = readText(body, 'id_token')
  const refreshToken = readText(body, 'refresh_token')
  if (status === 200 && idToken !== null && refreshToken !== null)
    return { kind: 'alive', idToken, refreshToken }
  const code = readErrorCode(body)
  if (status === 400 && code !== null && GONE_CODES.has(code)) return { kind: 'gone', reason: code }
  const isTransport = status >= 500 || body === null
  return { kind: isTransport ? 'unavailable' : 'unclear', reason: `status ${status}` }
}

/** `{ "error": { "message": "TOKEN_EXPIRED : and sometimes a sentence" } }` */
function readErrorCode(body: unknown): string | null {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null
  return readText(error, 'message')?.split(/[ :]/)[0] ?? null
}

function readText(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null
  const found: unknown = Reflect.get(value, key)
  return typeof found === 'string' && found !== '' ? found : null
}
