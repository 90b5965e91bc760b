/** One signed-in browser. */
export interface Session {
  /** Public name of the session, for lists and logs; useless for signing in. */
  readonly id: string
  readonly sub: string
  readonly email: string
  readonly name: string | null
  readonly startedAtMs: number
  readonly lastSeenAtMs: number
  /** When the identity service last vouched for the account. */
  readonly provenAtMs: number
}

/** A session as stored: reached only through the digest of its token. */
export interface SessionRow extends Session {
  /** base64url SHA-256 of the token. */
  readonly key: string
  /** The refresh token, sealed. */
  readonly refresh: Uint8Array
}
