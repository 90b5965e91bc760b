/** The signed-in person, as far as a page shows them; also the content of the reader cookie, as base64url JSON. */
export interface Reader {
  readonly email: string
  readonly name: string | null
}

/** `GET /__gate/session`: who is signed in, and until when at the longest. */
export interface SessionAnswer extends Reader {
  readonly expiresAtMs: number
  /** False while the identity configuration is invalid: nobody new can sign in, and accounts cannot be proven again. */
  readonly isSignInConfigured: boolean
}

/** One session of the reader's own account. */
export interface OwnSession {
  readonly startedAtMs: number
  readonly lastSeenAtMs: number
  readonly isThisOne: boolean
}

/** `GET /__gate/sessions`. */
export interface OwnSessionsAnswer {
  readonly sessions: readonly OwnSession[]
}

/** Reads a person out of JSON that came from the gate; null unless there is an email. */
export function readReader(value: unknown): Reader | null {
  if (typeof value !== 'object' || value === null || !('email' in value)) return null
  const { email } = value
  const name = 'name' in value ? value.name : null
  if (typeof email !== 'string' || email === '') return null
  return { email, name: typeof name === 'string' && name !== '' ? name : null }
}

/** Reads whether sign-in works at all, out of a session's answer; an older gate does not say, and then it counts as working. */
export function readIsSignInConfigured(value: unknown): boolean {
  const says = typeof value === 'object' && value !== null && 'isSignInConfigured' in value
  return !says || value.isSignInConfigured !== false
}

/** Reads the list of sessions; what is no session is left out. */
export function readOwnSessions(value: unknown): readonly OwnSession[] {
  const list = typeof value === 'object' && value !== null && 'sessions' in value ? value.sessions : []
  return Array.isArray(list) ? list.filter(isOwnSession) : []
}

function isOwnSession(value: unknown): value is OwnSession {
  if (typeof value !== 'object' || value === null) return false
  const { startedAtMs, lastSeenAtMs, isThisOne } = value as Record<string, unknown>
  return Number.isFinite(startedAtMs) && Number.isFinite(lastSeenAtMs) && typeof isThisOne === 'boolean'
}
