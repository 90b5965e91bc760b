import { FIREBASE_HELPER_PATHS, openFileRoute } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { type RequestContext, UnavailableError } from '../http/boundary.ts'
import { problem } from '../http/problem.ts'
import { addressKey, createRateLimit } from '../http/rate-limit.ts'
import { openRoute, type RouteTable } from '../http/route-table.ts'

export interface HelperProxyOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly timeoutMs?: number
}

const FORWARDED = ['Accept', 'Accept-Language', 'User-Agent'] as const
const MAX_BYTES = 4_194_304
const MAX_AGE_SECONDS = 3_600

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
export function createHelperProxy(options: HelperProxyOptions): RouteTable {
  const upstream = new URL(`https://${options.projectId}.firebaseapp.com`)
  // Everybody may ask, and each request makes one of ours: an office signs in from one address, a flood does more.
  const limit = createRateLimit({ burst: 600, perSecond: 10, now: options.now })

  async function forward(request: GateRequest, context: RequestContext): Promise<GateResponse> {
    const waitSeconds = limit.take(addressKey(context.clientAddress))
    if (waitSeconds > 0)
      return problem('too_many_requests', { headers: { 'Retry-After': String(waitSeconds) } })
    const { pathname, search } = new URL(request.url)
    const answer = await ask(new URL(pathname + search, upstream), request)
    const body = await readBounded(answer)
    const headers = new Headers(HELPER_HEADERS)
    headers.set('Content-Security-Policy', HELPER_POLICY)
    headers.set('Content-Length', String(body.byteLength))
    headers.set('Cache-Control', cacheControl(answer))
    const type = answer.headers.get('Content-Type')
    if (type !== null) headers.set('Content-Type', type)
    return new Response(body, { status: answer.status, headers })
  }

  async function ask(url: URL, request: GateRequest): Promise<Response> {
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

  return new Map(
    FIREBASE_HELPER_PATHS.map((path) => openRoute(openFileRoute(path), { GET: forward, HEAD: forward })),
  )
}

/** Stops at the limit instead of reading on: what the other side sends must not decide how much memory we use. */
async function readBounded(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > MAX_BYTES) throw unavailable('a helper page is too large')
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof UnavailableError) throw cause
    throw unavailable('a helper page broke off', cause)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** The browser may keep a page as long as its maker says; a shared cache in front of the gate keeps nothing. */
function cacheControl(answer: Response): string {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(answer.headers.get('Cache-Control') ?? '')?.[1]
  if (answer.status !== 200 || seconds === undefined) return 'private, no-store'
  return `private, max-age=${Math.min(Number(seconds), MAX_AGE_SECONDS)}`
}

function unavailable(message: string, cause?: unknown): UnavailableError {
  return new UnavailableError('identity_unavailable', message, { cause })
}
