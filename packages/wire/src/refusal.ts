/** Reason for a response before the request was complete; the connection ends with it. */
export interface Refusal {
  readonly status: 400 | 405 | 408 | 413 | 414 | 417 | 431 | 503
  /** For the operator's log, in words; what a client sent is quoted in JSON and cut short. */
  readonly reason: string
  /** The request is well formed but names another host than ours. */
  readonly isMisdirected: boolean
}

export function refuse(status: Refusal['status'], reason: string, isMisdirected = false): Refusal {
  return { status, reason, isMisdirected }
}
