import type { Account, DuePage, Identity, Session, SessionRow, Sessions } from '../state/sessions/index.ts'
import { createPace, type PaceOptions } from './pace.ts'
import type { IdentityProvider, Revalidation } from './provider.ts'

/** Revalidates an account with its provider. */
export interface Revalidator {
  revalidate(refreshToken: string, account: Account): Promise<Revalidation>
}

/** Revalidates with the provider that vouched for the account; a removed one vouches for none. Null without providers. */
export function createRevalidator(providers: readonly IdentityProvider[]): Revalidator | null {
  const byIssuer = new Map(providers.map((provider) => [provider.issuer, provider]))
  const unknown: Revalidation = { kind: 'gone', about: 'account', reason: 'unknown_issuer' }
  if (byIssuer.size === 0) return null
  return { revalidate: async (token, { issuer }) => byIssuer.get(issuer)?.revalidate(token) ?? unknown }
}

interface RevalidationOptions {
  readonly sessions: Sessions
  readonly identity: Revalidator
  /** No session waits longer than this after an answer that said nothing. */
  readonly intervalMs: number
  readonly onEnded: (session: Session, reason: string) => void
  /** Told of what the provider says now of an account that it vouches for. */
  readonly onProven: (session: Session, identity: Identity) => void
  /** Told of one session whose account the service neither vouched for nor denied. */
  readonly onUnclear: (session: Session, reason: string) => void
  /** Told once in a run in which the service said to ask less often. */
  readonly onLimited: () => void
  /** Called once in a run in which the service was unavailable. */
  readonly onUnavailable: (reason: string) => void
  readonly pace?: PaceOptions
  readonly now: () => number
}

/** Calls at a time: at 150 ms each, 427 accounts a second at most. */
const CONCURRENCY = 64
/**
 * Sessions that fall due together are proven within an eighth of an interval, so that none waits longer than the interval: 10,000 of
 * them at 267 a second, 33 on average. A few are not held up.
 */
const SPREAD = 8
const LEAST_PER_SECOND = 40
/** So often one session is asked about again where the service limits how often; then it waits as those that failed do. */
const LIMITED_TRIES = 8
/** So many are asked first: an outage costs these calls in a run, not one for each session. */
const PROBES = 8
const RETRY_MS = 30_000

interface Failure {
  readonly count: number
  readonly retryAtMs: number
}

/**
 * Creates the function that revalidates all due sessions, off the request path; call it periodically. The oldest validation goes first,
 * then earlier failures, so odd tokens delay only themselves. A run ends early after several consecutive outages.
 */
export function createRevalidation(options: RevalidationOptions): () => Promise<void> {
  const { sessions, onEnded, onProven, onUnclear, onLimited, onUnavailable, now } = options
  const failures = new Map<string, Failure>() // by session id
  const perSecond = () => Math.max(LEAST_PER_SECOND, (SPREAD * sessions.size * 1_000) / options.intervalMs)
  const pace = createPace(perSecond, options.pace)

  /** Asks in its turn, and again where the service only said that it was asked too often. */
  async function askInTurn(session: SessionRow, onLimited: () => void): Promise<Revalidation> {
    for (let tries = 1; ; tries += 1) {
      await pace.turn()
      const answer = await ask(session, options)
      const limitedMs = answer.kind === 'unavailable' ? answer.limitedMs : undefined
      if (limitedMs === undefined) {
        pace.answered()
        return answer
      }
      onLimited()
      pace.limit(limitedMs)
      if (tries >= LIMITED_TRIES) return answer
    }
  }

  function noteFailure({ id }: Session, kind: 'unclear' | 'unavailable'): void {
    const count = (failures.get(id)?.count ?? 0) + Number(kind === 'unclear')
    const waitMs = Math.min(RETRY_MS * 2 ** Math.max(0, count - 1), options.intervalMs)
    failures.set(id, { count, retryAtMs: now() + waitMs })
  }

  async function settle(session: SessionRow, answer: Revalidation): Promise<void> {
    if (answer.kind === 'unclear' || answer.kind === 'unavailable') {
      noteFailure(session, answer.kind)
      return
    }
    failures.delete(session.id)
    if (answer.kind === 'proven') {
      onProven(session, answer.identity)
      if (answer.refreshToken !== null) sessions.markProven(session, answer.refreshToken, answer.identity)
    } else {
      const [scope, why] =
        answer.about === 'account' ? (['account', 'account'] as const) : (['one', 'unproven'] as const)
      for (const ended of await sessions.end(session.key, scope, why)) onEnded(ended, answer.reason)
    }
  }

  /** Revalidates sessions until several consecutive calls get no response. */
  function createRun() {
    let unanswered = 0 // in a row
    let isFirst = true
    let outage: string | null = null
    let isLimited = false
    const askAll = async (part: IterableIterator<SessionRow>) => {
      for (const session of part) {
        if (!(await sessions.holdProving())) return
        const answer = await askInTurn(session, () => {
          isLimited = true
        })
        await settle(session, answer)
        const isAway = answer.kind === 'unavailable' && answer.limitedMs === undefined
        unanswered = isAway ? unanswered + 1 : 0
        if (isAway) outage = answer.reason
        if (answer.kind === 'unclear') onUnclear(session, answer.reason)
        if (unanswered >= PROBES) return
      }
    }
    const askInParallel = async (part: readonly SessionRow[]) => {
      const rest = part.values()
      const workers = Array.from({ length: Math.min(CONCURRENCY, part.length) }, () => askAll(rest))
      const ends = await Promise.allSettled(workers) // a full disk stops one of them, and the run ends with all
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }
    return {
      /** False once the service cannot be reached. */
      async ask(part: readonly SessionRow[]): Promise<boolean> {
        const probes = isFirst ? part.slice(0, PROBES) : []
        isFirst &&= part.length === 0
        await askInParallel(probes)
        if (probes.length > 0 && unanswered >= probes.length) return false
        await askInParallel(part.slice(probes.length))
        return unanswered < PROBES
      },
      outage: () => outage,
      isLimited: () => isLimited,
    }
  }

  return async () => {
    if (!(await sessions.holdProving())) return // another gate does
    const run = createRun()
    const failed: SessionRow[] = [] // before, and ready to be asked about again
    const isOver = new Set(failures.keys()) // what failed before and is not due any more
    let goesOn = true
    for (let after: DuePage['next'] = null; goesOn; ) {
      const { due, next } = await sessions.listDue(after)
      const atMs = now()
      for (const { id } of due) isOver.delete(id)
      failed.push(
        ...due.filter(({ id }) => (failures.get(id)?.retryAtMs ?? Number.POSITIVE_INFINITY) <= atMs),
      )
      goesOn = await run.ask(due.filter(({ id }) => !failures.has(id)))
      after = next
      if (after === null) break
    }
    if (goesOn) {
      for (const id of isOver) failures.delete(id)
      await run.ask(failed)
    }
    const outage = run.outage()
    if (outage !== null) onUnavailable(outage)
    if (run.isLimited()) onLimited()
  }
}

async function ask(session: SessionRow, { sessions, identity }: RevalidationOptions): Promise<Revalidation> {
  const refreshToken = sessions.refreshTokenOf(session)
  if (refreshToken === null) return { kind: 'gone', about: 'token', reason: 'secret_changed' }
  try {
    return sameAccount(session, await identity.revalidate(refreshToken, session))
  } catch (error) {
    return { kind: 'unclear', reason: error instanceof Error ? error.name : 'unknown' } // our own fault, over this token
  }
}

/** A refresh token of another account, or a changed address, proves nothing about this one. */
export function sameAccount(
  account: Pick<Session, 'issuer' | 'sub' | 'email'>,
  answer: Revalidation,
): Revalidation {
  if (answer.kind !== 'proven') return answer
  if (answer.identity.sub !== account.sub || answer.identity.issuer !== account.issuer)
    return { kind: 'gone', about: 'token', reason: 'foreign_refresh_token' }
  return answer.identity.email === account.email
    ? answer
    : { kind: 'gone', about: 'account', reason: 'account_changed' }
}
