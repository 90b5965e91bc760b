import { type ProblemCode, type ProblemDocument, problemDocument } from '@sekisho/contract/problems'
import type { EndReason } from '@sekisho/contract/session-response'
import type { GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'

interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Only on faults: what an operator searches the log for. */
  readonly requestId?: string
  /** Only to the holder of a session that ended. */
  readonly reason?: EndReason | null
}

/** A problem document on its way, with what it says. */
export class ProblemResponse extends BytesResponse {
  readonly document: ProblemDocument

  constructor(document: ProblemDocument, headers: Readonly<Record<string, string>>) {
    super(...jsonBody(document, { status: document.status, type: 'application/problem+json', headers }))
    this.document = document
  }
}

/** Answers with the problem document of a code. */
export function problem(code: ProblemCode, options: ProblemOptions = {}): ProblemResponse {
  const known = problemDocument(code, options.requestId)
  const document = options.reason == null ? known : { ...known, reason: options.reason }
  return new ProblemResponse(document, options.headers ?? {})
}

/** Response to excessive requests. */
export function tooManyRequests(waitSeconds: number): GateResponse {
  return problem('too_many_requests', { headers: { 'Retry-After': String(waitSeconds) } })
}

interface JsonOptions {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON answer with its exact length. */
export function jsonResponse(value: object, options: JsonOptions = {}): GateResponse {
  return new BytesResponse(...jsonBody(value, options))
}

function jsonBody(value: object, options: JsonOptions): ConstructorParameters<typeof BytesResponse> {
  const headers = { 'Content-Type': options.type ?? 'application/json', ...options.headers }
  return [JSON.stringify(value), { status: options.status ?? 200, headers }]
}
