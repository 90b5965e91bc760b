import { hash } from 'node:crypto'
import { ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import {
  type Claim,
  type IdentityProvider,
  type Revalidation,
  SignInFailure,
  type SignInOutcome,
  type SignInReceiver,
} from '../../identity/provider.ts'
import { sameAccount } from '../../identity/revalidation.ts'
import { isOutage, type RequestContext, whereOf } from '../../kernel/boundary.ts'
import { deviceName } from '../../kernel/client/device-name.ts'
import { isFromHere } from '../../kernel/client/fetch-metadata.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { readJsonBody } from '../../kernel/json-body.ts'
import { type Log, logUnknownGroups } from '../../kernel/monitoring/log.ts'
import type { SignInWatch } from '../../kernel/monitoring/sign-in-watch.ts'
import { problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { accountKey, addressKey, createRateLimit, type RateLimit } from '../../state/limits/index.ts'
import type { PublisherStore } from '../../state/publishers/index.ts'
import type { Identity, Session, Sessions } from '../../state/sessions/index.ts'
import { sessionKeyOf, whoOf } from '../../state/sessions/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'

export interface OpenSessionOptions {
  readonly origin: URL
  /** Empty when the identity configuration is invalid: sign-in is then impossible. */
  readonly providers: readonly IdentityProvider[]
  /** The reason why the policy in force does not admit an account; null if it does. Throws if there is no policy. */
  readonly refusalOf: (account: Identity) => string | null
  readonly sessions: Sessions
  readonly cookies: SessionCookies
  readonly audit: AuditTrail
  /** Sign-ins of one account, on whichever gate. */
  readonly accountLimit: RateLimit
  /** Shared by all gates: what is spent on one is spent on each. */
  readonly publishers: Pick<PublisherStore, 'spend'>
  readonly log: Log
  readonly signIns: SignInWatch
  readonly now: () => number
}

/** A character that no name has, PostgreSQL keeps in no text, and some programs take for the end of one. */
function hasNul({ sub, email, name, sid, vouched }: Identity): boolean {
  return [sub, email, name, sid, ...vouched.groups].some((text) => text?.includes('\0') === true)
}

/**
 * Opens sessions for accounts that a provider vouches for; the caller has checked the request's origin. Every token is judged, whatever its
 * address did before, since only judging tells a genuine one from a forged one.
 */
export function createSignInReceiver(options: OpenSessionOptions): SignInReceiver {
  const { now, audit, sessions, cookies, accountLimit, signIns } = options
  const failures = createRateLimit({ burst: 20, perSecond: 1 / 3, now })

  function refuse(
    code: 'rejected' | 'not_admitted',
    reason: string,
    context: RequestContext,
    email: string | null,
  ): SignInOutcome {
    const waitSeconds = failures.take(addressKey(context.clientAddress))
    audit.record('sign_in_refused', { reason, email, ...whereOf(context) })
    return waitSeconds === 0 || code === 'not_admitted'
      ? { kind: 'refused', code, reason, email }
      : { kind: 'too_many', waitSeconds }
  }

  function findRefusal(identity: Identity) {
    try {
      return options.refusalOf(identity)
    } catch (cause) {
      throw new SignInFailure('policy', { cause })
    }
  }

  /** Proves the account of a claim that the policy admits. */
  async function proveAdmitted(
    { identity, doubt = null, prove }: Claim,
    context: RequestContext,
  ): Promise<SignInOutcome | Extract<Revalidation, { readonly kind: 'proven' }>> {
    if (hasNul(identity)) return refuse('rejected', 'nul_character', context, null)
    const { email } = identity
    const refusal = findRefusal(identity)
    if (refusal !== null) {
      const reason = refusal === 'address_not_vouched' ? (doubt ?? refusal) : refusal
      const refused = refuse('not_admitted', reason, context, email)
      // Without an address its place holds an id, which says nothing to its reader.
      return doubt === 'no_email' && refused.kind === 'refused'
        ? { ...refused, email: identity.name }
        : refused
    }
    const waitSeconds = await accountLimit.take(accountKey(identity))
    if (waitSeconds > 0) return { kind: 'too_many', waitSeconds }
    const proof = sameAccount(identity, await prove())
    if (proof.kind === 'unavailable')
      throw new SignInFailure('token_endpoint', { cause: new Error(proof.reason) })
    if (proof.kind === 'proven' && hasNul(proof.identity))
      return refuse('rejected', 'nul_character', context, null)
    return proof.kind === 'proven'
      ? proof
      : refuse('rejected', `refresh_token ${proof.reason}`, context, email)
  }

  return {
    refuse: (reason, context) => refuse('rejected', reason, context, null),
    spendState: (state, expiresAtMs) =>
      options.publishers.spend(hash('sha256', `sign-in ${state}`), expiresAtMs),
    fail(error) {
      const failure = failureOf(error)
      signIns.noteFailure(failure.failure, error)
      return failure.code === 'identity_unavailable' ? failure.code : 'unavailable'
    },
    async end(issuer, ended, context) {
      const sessionsEnded = await sessions.endOf(issuer, ended)
      for (const one of sessionsEnded)
        audit.record('session_revoked', { ...whoOf(one), by: 'provider', ...whereOf(context) })
      return sessionsEnded.length
    },
    async admit(claim, request, context) {
      const proof = await proveAdmitted(claim, context)
      if (proof.kind !== 'proven') return proof
      const { identity, spent } = claim
      const started = await sessions.start({
        identity,
        spent,
        refreshToken: proof.refreshToken,
        device: deviceName(request.headers.get('user-agent')),
        address: context.clientAddress,
      })
      if (started.kind !== 'started') {
        const code = started.kind === 'replayed' ? 'rejected' : 'not_admitted'
        return refuse(code, started.kind, context, identity.email)
      }
      const earlier = cookies.readKey(request)
      if (earlier.kind === 'present') await sessions.signOut(earlier.key, 'one')
      await recordSignIn(options, started, context)
      if (!started.session.vouched.hasAllGroups) logUnknownGroups(options.log, started.session.id)
      context.isReader = true
      signIns.noteSuccess()
      const headers = new Headers()
      cookies.give(headers, started.token, started.session)
      return { kind: 'started', headers }
    },
  }
}

/** Answers what the login page's flow posts: an assertion for the provider that takes such. */
export function createOpenSession(
  { origin, providers }: Pick<OpenSessionOptions, 'origin' | 'providers'>,
  receiver: SignInReceiver,
) {
  const verifying = createFairSemaphore(2)
  const takesAssertions = providers.find(({ readAssertion }) => readAssertion !== undefined)

  return async (request: GateRequest, context: RequestContext): Promise<GateResponse> => {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    if (takesAssertions?.readAssertion === undefined) return problem('not_configured')
    const body = await readJsonBody(request, ROUTES.session.maxBodyBytes)
    if (body.kind === 'too_large') return problem('too_large')
    const assertion = body.kind === 'read' ? takesAssertions.readAssertion(body.value) : null
    if (assertion === null) return problem('bad_request')
    let outcome: SignInOutcome
    try {
      const verdict = await verifying(addressKey(context.clientAddress), assertion.judge)
      outcome = verdict.ok
        ? await receiver.admit(verdict, request, context)
        : receiver.refuse(verdict.reason, context)
    } catch (error) {
      return problem(receiver.fail(error))
    }
    switch (outcome.kind) {
      case 'started':
        return new Response(null, { status: 204, headers: outcome.headers })
      case 'refused':
        return problem(outcome.code)
      case 'too_many':
        return tooManyRequests(outcome.waitSeconds)
    }
  }
}

/** Attributes every failure to us unless it names the provider. */
function failureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error
  if (error instanceof UnavailableError && error.code === 'identity_unavailable')
    return new SignInFailure('keys', { cause: error })
  const isStore = error instanceof UnavailableError || (error instanceof Error && isOutage(error))
  return new SignInFailure(isStore ? 'store' : 'fault', { cause: error })
}

/** Records a sign-in durably before its session counts; otherwise the reader must retry. */
async function recordSignIn(
  { audit, sessions }: Pick<OpenSessionOptions, 'audit' | 'sessions'>,
  { session, token }: { readonly session: Session; readonly token: string },
  context: RequestContext,
): Promise<void> {
  const { vouched } = session
  const { groups } = vouched
  if (!vouched.hasAllGroups) audit.record('groups_unknown', whoOf(session))
  try {
    const counted = vouched.address ? {} : { unvouched: 'email' }
    const who = { ...whoOf(session), groups, ...counted }
    await audit.recordDurably('signed_in', { ...who, ...whereOf(context) })
  } catch (error) {
    await sessions.end(sessionKeyOf(token), 'one', 'revoked') // nobody holds its token yet
    throw error
  }
}
