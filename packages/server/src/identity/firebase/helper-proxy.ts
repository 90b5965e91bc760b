import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { FIREBASE } from '@sekisho/contract/firebase'
import { openFileRoute } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import type { RequestContext } from '../../kernel/boundary.ts'
import { isFromOurPages } from '../../kernel/client/fetch-metadata.ts'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { openRoute, type RouteTable } from '../../kernel/route-table.ts'
import { addressKey, createRateLimit } from '../../state/limits/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'

interface HelperProxyOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly timeoutMs?: number
}

/** The largest of Firebase's helper scripts has some 300 KB. */
const MAX_BYTES = 1_048_576
const MAX_AGE_SECONDS = 3_600
const MAX_PAGES = 256
const UPSTREAM_AT_ONCE = 4
/** Requests for pages we do not have, waiting or being answered; beyond it a request is told to come again. */
const MAX_PENDING = 1_024
/** Of them, those of one client: an office signs in from one address. */
const MAX_PENDING_OF_CLIENT = 64

/** Pages of the identity service must be framed by ours and talk to their opener. */
export const HELPER_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'strict-origin',
}

/** Firebase's pages bring scripts of their own; a policy of ours beyond framing would break them. */
const HELPER_POLICY = "frame-ancestors 'self'"

interface HelperPage {
  readonly status: number
  readonly type: string | null
  readonly body: Uint8Array<ArrayBuffer>
  readonly readAtMs: number
  /** At or before `readAtMs` when caching is forbidden. */
  readonly expiresAtMs: number
}

/**
 * Serves the helper pages from the portal's host, since browsers without third-party storage break redirect sign-in otherwise. Passes no
 * cookies, headers or redirects, refuses loads by other sites, and bounds memory; clients take turns at reading.
 */
export function createHelperProxy(options: HelperProxyOptions): RouteTable {
  const { now } = options
  const upstream = new URL(`https://${options.projectId}.firebaseapp.com`)
  // Everybody may ask, and each page we do not have makes a request of ours: an office signs in from one address.
  const limit = createRateLimit({ burst: 600, perSecond: 10, now })
  const pages = new Map<string, HelperPage>() // by path and query, in the order they were read
  const pending = new Map<string, Promise<HelperPage>>()
  const pendingOf = new Map<string, number>() // by client
  const bodies = new Map<string, Uint8Array<ArrayBuffer>>() // by path
  const send = boundFetch(options.fetch, { maxBytes: MAX_BYTES, timeoutMs: options.timeoutMs ?? 10_000 })
  const asking = createFairSemaphore(UPSTREAM_AT_ONCE)

  async function answer(request: GateRequest, context: RequestContext): Promise<GateResponse> {
    if (!isFromOurPages(request)) return problem('cross_site')
    const { pathname, search } = new URL(request.url)
    const key = pathname + search
    const known = pages.get(key)
    if (known !== undefined && isCurrent(known)) return respond(known)
    const client = addressKey(context.clientAddress)
    if (!pending.has(key)) {
      const isFull = pending.size >= MAX_PENDING || (pendingOf.get(client) ?? 0) >= MAX_PENDING_OF_CLIENT
      const waitSeconds = isFull ? 1 : limit.take(client)
      if (waitSeconds > 0)
        return problem('too_many_requests', { headers: { 'Retry-After': String(waitSeconds) } })
    }
    return respond(await (pending.get(key) ?? read(key, pathname, client)))
  }

  /** Coalesces concurrent requests for one page. */
  function read(key: string, pathname: string, client: string): Promise<HelperPage> {
    const reading = asking(client, () => ask(new URL(key, upstream)))
      .then((page) => keep(key, { ...page, body: shareBody(pathname, page.body) }))
      .finally(() => {
        pending.delete(key)
        countPending(client, -1)
      })
    pending.set(key, reading)
    countPending(client, 1)
    return reading
  }

  function countPending(client: string, change: 1 | -1): void {
    const count = (pendingOf.get(client) ?? 0) + change
    if (count === 0) pendingOf.delete(client)
    else pendingOf.set(client, count)
  }

  /** Pages differ in their address only: their scripts read it in the browser. */
  function shareBody(pathname: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const known = bodies.get(pathname)
    if (known !== undefined && Buffer.compare(known, body) === 0) return known
    bodies.set(pathname, body)
    return body
  }

  function keep(key: string, page: HelperPage): HelperPage {
    pages.delete(key)
    if (!isCurrent(page)) return page
    pages.set(key, page)
    if (pages.size > MAX_PAGES) pages.delete(pages.keys().next().value ?? '')
    return page
  }

  /** A clock set back lengthens no page's life. */
  function isCurrent({ readAtMs, expiresAtMs }: HelperPage): boolean {
    return now() >= readAtMs && now() < expiresAtMs
  }

  function respond({ status, type, body, expiresAtMs }: HelperPage): GateResponse {
    const seconds = Math.floor((expiresAtMs - now()) / 1_000)
    const headers = {
      ...HELPER_HEADERS,
      'Content-Security-Policy': HELPER_POLICY,
      'Cache-Control': seconds > 0 ? `private, max-age=${seconds}` : 'private, no-store',
      ...(type === null ? {} : { 'Content-Type': type }),
    }
    return new BytesResponse(body, { status, headers })
  }

  async function ask(url: URL): Promise<HelperPage> {
    try {
      const answered = await send(url, { redirect: 'error' })
      const { status } = answered
      if (status !== 200 && status !== 404) throw unavailable(`a helper page answered ${status}`)
      const readAtMs = now()
      const type = answered.headers.get('content-type')
      const expiresAtMs = readAtMs + readMaxAgeSeconds(answered) * 1_000
      return { status, type, body: new Uint8Array(await answered.arrayBuffer()), readAtMs, expiresAtMs }
    } catch (cause) {
      if (cause instanceof UnavailableError) throw cause
      throw unavailable('the helper pages cannot be reached', cause)
    }
  }

  return new Map(FIREBASE.paths.map((path) => openRoute(openFileRoute(path), { GET: answer, HEAD: answer })))
}

/** The browser and the gate may keep a page as long as its maker says; a shared cache in front of the gate keeps nothing. */
function readMaxAgeSeconds(answer: Response): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(answer.headers.get('cache-control') ?? '')?.[1]
  return answer.status === 200 ? Math.min(Number(seconds ?? 0), MAX_AGE_SECONDS) : 0
}

function unavailable(message: string, cause?: unknown): UnavailableError {
  return new UnavailableError('identity_unavailable', message, { cause })
}
