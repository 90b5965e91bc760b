import type { EndReason } from './session-response.ts'

/** Every problem the gate can answer with, by its stable `code`. */
export const PROBLEMS = {
  signed_out: [401, 'Sign-in required'],
  bad_request: [400, 'Bad request'],
  bad_origin: [403, 'Wrong origin'],
  cross_site: [403, 'Cross-site load refused'],
  rejected: [401, 'Sign-in rejected'],
  not_admitted: [403, 'Account not admitted'],
  publisher_required: [401, 'Publisher credentials required'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  too_large: [413, 'Request body too large'],
  too_many_requests: [429, 'Too many requests'],
  fault: [500, 'Internal error'],
  identity_unavailable: [503, 'Identity service unavailable'],
  not_configured: [503, 'Sign-in is not configured'],
  unavailable: [503, 'Service unavailable'],
  answers_busy: [503, 'Too many answers at once'],
  answers_budget: [503, 'No more answers today'],
  answers_unavailable: [503, 'Answers unavailable'],
  search_unavailable: [503, 'Search unavailable'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>

export type ProblemCode = keyof typeof PROBLEMS

/** An RFC 9457 problem document. */
export interface ProblemDocument {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  /** Only on faults: what an operator searches the log for. */
  readonly requestId?: string | undefined
  /** Only to the holder of a session that ended: why. */
  readonly reason?: EndReason
}

/** Response of a gate on loopback to a request under another of its names (RFC 9110 §15.5.20). */
export const misdirectedText = (origin: string) => `開くアドレス: ${origin}/\n`

/** The document of a code; its text depends on the code alone, never on the request. */
export function problemDocument(code: ProblemCode, requestId?: string): ProblemDocument {
  const [status, title] = PROBLEMS[code]
  return { type: 'about:blank', title, status, code, requestId }
}
