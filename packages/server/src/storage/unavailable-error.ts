type OutageCode = 'identity_unavailable' | 'unavailable' | 'search_unavailable'

/** A dependency's outage: answered as 503, never as "signed out". */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
  readonly code: OutageCode

  constructor(code: OutageCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
