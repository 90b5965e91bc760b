/** One session of the reader's own account. */
export interface OwnSession {
  /** Names it when it is to be ended; useless for signing in. */
  readonly id: string
  /** Browser and system by name, as in `Firefox / Windows`; empty when the browser did not say. */
  readonly device: string
  /** The network it was opened from, by the operator's name for it; null where networks have no names. */
  readonly place: string | null
  readonly startedAtMs: number
  readonly lastSeenAtMs: number
  readonly isThisOne: boolean
}

/** `GET /__gate/sessions`. */
export interface OwnSessionsResponse {
  readonly sessions: readonly OwnSession[]
}

/** Reads the list of sessions; what is no session is left out. */
export function readOwnSessions(value: unknown): readonly OwnSession[] {
  const list = typeof value === 'object' && value !== null && 'sessions' in value ? value.sessions : []
  return Array.isArray(list) ? list.filter(isOwnSession) : []
}

function isOwnSession(value: unknown): value is OwnSession {
  if (typeof value !== 'object' || value === null) return false
  const session = value as Record<keyof OwnSession, unknown>
  const isPlace = session.place === null || typeof session.place === 'string'
  const areTexts = typeof session.id === 'string' && typeof session.device === 'string' && isPlace
  const areTimes = Number.isFinite(session.startedAtMs) && Number.isFinite(session.lastSeenAtMs)
  return areTexts && areTimes && typeof session.isThisOne === 'boolean'
}
