import type { GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'

/** The stable `code` of every problem document the gate can answer with. */
export type ProblemCode =
  | 'signed_out'
  | 'bad_request'
  | 'bad_origin'
  | 'cross_site'
  | 'rejected'
  | 'not_admitted'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_large'
  | 'too_many_requests'
  | 'fault'
  | 'identity_unavailable'
  | 'not_configured'
  | 'unavailable'
  | 'search_unavailable'

const PROBLEMS: Readonly<Record<ProblemCode, readonly [status: number, title: string]>> = {
  signed_out: [401, 'Sign-in required'],
  bad_request: [400, 'Bad request'],
  bad_origin: [403, 'Wrong origin'],
  cross_site: [403, 'Cross-site load refused'],
  rejected: [401, 'Sign-in rejected'],
  not_admitted: [403, 'Account not admitted'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  too_large: [413, 'Request body too large'],
  too_many_requests: [429, 'Too many requests'],
  fault: [500, 'Internal error'],
  identity_unavailable: [503, 'Identity service unavailable'],
  not_configured: [503, 'Sign-in is not configured'],
  unavailable: [503, 'Service unavailable'],
  search_unavailable: [503, 'Search unavailable'],
}

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Only on faults: what an operator searches the log for. */
  readonly requestId?: string
}

/** Makes an RFC 9457 problem document; its text depends on the code alone, never on what was asked for. */
export function problem(code: ProblemCode, options: ProblemOptions = {}): GateResponse {
  const [status, title] = PROBLEMS[code]
  const body = { type: 'about:blank', title, status, code, requestId: options.requestId }
  return jsonResponse(body, { status, type: 'application/problem+json', headers: options.headers ?? {} })
}

interface JsonOptions {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON answer with its exact length. */
export function jsonResponse(value: object, options: JsonOptions = {}): GateResponse {
  const body = new Uint8Array(Buffer.from(JSON.stringify(value)))
  const headers = {
    'Content-Type': options.type ?? 'application/json',
    'Content-Length': String(body.byteLength),
    ...options.headers,
  }
  return new BytesResponse(body, { status: options.status ?? 200, headers })
}
