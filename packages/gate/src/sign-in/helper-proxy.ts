import { type Handler, UnavailableError } from '../http/boundary.ts'
import { byMethod } from './session-routes.ts'

/** The identity service's own pages, by exact path: the popup and the hidden frame of the Firebase SDK. */
export const HELPER_PATHS = [
  '/__/auth/handler',
  '/__/auth/handler.js',
  '/__/auth/iframe',
  '/__/auth/iframe.js',
  '/__/auth/experiments.js',
  '/__/auth/links',
  '/__/auth/links.js',
  '/__/firebase/init.json',
] as const

export interface HelperProxyOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
  readonly timeoutMs?: number
}

const FORWARDED = ['Accept', 'Accept-Language', 'User-Agent'] as const
const RETURNED = ['Content-Type', 'Cache-Control'] as const
const MAX_BYTES = 4_194_304

/** Pages of the identity service must be framed by ours and talk to their opener. */
export const HELPER_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'strict-origin',
}

/** Firebase's pages bring scripts of their own; a policy of ours beyond framing would break them. */
const HELPER_POLICY = "frame-ancestors 'self'"

/**
 * Serves the helper pages from the portal's own host, because browsers that block third-party storage break
 * redirect sign-in otherwise. No cookie passes either way, and no redirect is followed or handed on.
 */
export function createHelperProxy(options: HelperProxyOptions): ReadonlyMap<string, Handler> {
  const upstream = new URL(`https://${options.projectId}.firebaseapp.com`)
  const handler = byMethod({ GET: forward, HEAD: forward })

  async function forward(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const answer = await ask(new URL(pathname + search, upstream), request)
    const body = new Uint8Array(await answer.arrayBuffer())
    if (body.byteLength > MAX_BYTES) throw unavailable('a helper page is too large')
    const headers = new Headers(HELPER_HEADERS)
    headers.set('Content-Security-Policy', HELPER_POLICY)
    headers.set('Content-Length', String(body.byteLength))
    for (const name of RETURNED) {
      const value = answer.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return new Response(body, { status: answer.status, headers })
  }

  async function ask(url: URL, request: Request): Promise<Response> {
    const headers = new Headers()
    for (const name of FORWARDED) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    try {
      const signal = AbortSignal.timeout(options.timeoutMs ?? 10_000)
      const answer = await options.fetch(url, { headers, redirect: 'error', signal })
      if (answer.status !== 200 && answer.status !== 404)
        throw unavailable(`a helper page answered ${answer.status}`)
      return answer
    } catch (cause) {
      if (cause instanceof UnavailableError) throw cause
      throw unavailable('the helper pages cannot be reached', cause)
    }
  }

  return new Map(HELPER_PATHS.map((path) => [path, handler]))
}

function unavailable(message: string, cause?: unknown): UnavailableError {
  return new UnavailableError('identity_unavailable', message, { cause })
}
