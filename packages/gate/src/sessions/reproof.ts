import type { IdentityService, Reproof } from '../identity/identity.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

export interface ReproofOptions {
  readonly sessions: Sessions
  readonly identity: IdentityService
  readonly onEnded: (session: Session, reason: string) => void
  readonly onUnavailable: (reason: string) => void
}

const CONCURRENCY = 8

/** These speak about the account, so all of its sessions end; the rest speak about one session's token. */
const ACCOUNT_CODES: ReadonlySet<string> = new Set(['USER_DISABLED', 'USER_NOT_FOUND', 'account_changed'])

/**
 * Proves every session again that is due, off the request path. Stops at the first group that nobody could be
 * asked about: an outage then costs a few calls and not one per session.
 */
export async function reproveDue(options: ReproofOptions): Promise<void> {
  const due = options.sessions.listDue()
  for (let start = 0; start < due.length; start += CONCURRENCY) {
    const group = due.slice(start, start + CONCURRENCY)
    const answers = await Promise.all(group.map((session) => reproveOne(session, options)))
    if (answers.every((kind) => kind === 'unavailable')) return
  }
}

async function reproveOne(session: Session, options: ReproofOptions): Promise<Reproof['kind']> {
  const { sessions, onEnded, onUnavailable } = options
  const refreshToken = sessions.refreshTokenOf(session)
  const answer: Reproof =
    refreshToken === null
      ? { kind: 'gone', reason: 'secret_changed' }
      : sameAccount(session, await options.identity.reprove(refreshToken))
  if (answer.kind === 'proven') sessions.markProven(session, answer.refreshToken)
  if (answer.kind === 'unavailable') onUnavailable(answer.reason)
  if (answer.kind === 'gone') {
    const scope = ACCOUNT_CODES.has(answer.reason) ? 'account' : 'one'
    for (const ended of sessions.end(session, scope)) onEnded(ended, answer.reason)
  }
  return answer.kind
}

/** A refresh token of another account, or a changed address, proves nothing about this session. */
function sameAccount(session: Session, answer: Reproof): Reproof {
  if (answer.kind !== 'proven') return answer
  if (answer.identity.sub !== session.sub) return { kind: 'gone', reason: 'foreign_refresh_token' }
  return answer.identity.email === session.email ? answer : { kind: 'gone', reason: 'account_changed' }
}
