import { randomBytes } from 'node:crypto'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { TooManyActsError } from './monitoring/refusal-sums.ts'
import { problem, tooManyRequests } from './pages/problem.ts'
import { showToPeople } from './pages/problem-page.ts'
import { secureHeaders } from './secure-headers.ts'

/** Facts of a request beside the Request itself. */
export interface RequestContext {
  readonly clientAddress: string
  readonly requestId: string
  /** Set once a session was found or opened: strangers' requests share lines in the log. */
  isReader: boolean
  /** Account or publisher whose requests share lines beyond a number of them; absent where the address stands for them. */
  account?: string
}

/** Answers a request. */
export type Handler = (request: GateRequest, context: RequestContext) => GateResponse | Promise<GateResponse>

/** One finished request, for the log and the metrics. */
export interface Exchange {
  readonly request: GateRequest
  readonly context: RequestContext
  readonly status: number
  readonly durationMs: number
  /** Error of the handler; undefined without one. */
  readonly fault?: unknown
  /** On whose host it was; absent on the main origin. */
  readonly preview?: string
}

interface BoundaryOptions {
  readonly https: boolean
  readonly newRequestId: () => string
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  readonly observe: (exchange: Exchange) => void
}

/** For the audit trail: who asked, and with which request. */
export function whereOf({ clientAddress, requestId }: RequestContext) {
  return { client: clientAddress, request: requestId }
}

/** Wraps the whole handler: the only place that catches faults, and the one that completes every answer's headers. */
export function createBoundary(handler: Handler, options: BoundaryOptions) {
  const secure = secureHeaders(options)
  return async (request: GateRequest, peer: { readonly clientAddress: string }): Promise<GateResponse> => {
    const startedMs = options.elapsed()
    const context: RequestContext = {
      clientAddress: peer.clientAddress,
      requestId: options.newRequestId(),
      isReader: false,
    }
    const { response: answered, fault } = await answer(handler, request, context)
    const response = showToPeople(request, context, answered)
    secure(response.headers)
    const durationMs = options.elapsed() - startedMs
    options.observe({ request, context, status: response.status, durationMs, fault })
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
}

/** Errors of a disk that is full, read-only or failing. */
const DISK_ERRORS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])
/** The same of SQLite, by its primary result codes: busy, locked, read-only, I/O error, corrupt, full, cannot open, no database. */
const STORE_ERRORS: ReadonlySet<number> = new Set([5, 6, 8, 10, 11, 13, 14, 26])

/** Tells if storage caused the fault, which is temporary and not a fault of ours. */
export function isOutage(fault: Error): boolean {
  if ('code' in fault && DISK_ERRORS.has(fault.code)) return true
  if ('errcode' in fault && typeof fault.errcode === 'number' && STORE_ERRORS.has(fault.errcode & 0xff))
    return true
  return fault.cause instanceof Error && isOutage(fault.cause)
}

function problemOf(fault: unknown) {
  if (fault instanceof UnavailableError) return fault.code
  return fault instanceof Error && isOutage(fault) ? 'unavailable' : 'fault'
}

async function answer(handler: Handler, request: GateRequest, context: RequestContext) {
  try {
    return { response: await handler(request, context), fault: undefined }
  } catch (fault) {
    if (fault instanceof TooManyActsError)
      return { response: tooManyRequests(fault.waitSeconds), fault: undefined }
    return { response: problem(problemOf(fault), { requestId: context.requestId }), fault }
  }
}

function withoutBody(response: GateResponse): GateResponse {
  if (response instanceof BytesResponse) return response.withoutBody()
  response.body?.cancel().catch(() => {}) // nobody is left to hear of it
  return new Response(null, { status: response.status, headers: response.headers })
}

/**
 * Makes names of requests, by which log, audit trail and an answer's fault are matched: 72 random bits of this
 * process and the request's number. They need not be hard to guess: nothing is let in or shown for knowing one.
 */
export function createRequestIds(): () => string {
  const prefix = randomBytes(9).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count}`
  }
}
