import { createHash } from 'node:crypto'
import { ROUTES } from '@sekisho/contract/routes'
import type { AuditTrail } from '@sekisho/state/audit'
import { addressKey, createRateLimit, type RateLimit } from '@sekisho/state/limits'
import type { Session, Sessions } from '@sekisho/state/sessions'
import { sessionKeyOf } from '@sekisho/state/sessions'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { admits } from '../../access/policy.ts'
import type { PolicySource } from '../../access/policy-source.ts'
import type { RequestContext } from '../../frame/boundary.ts'
import { deviceName } from '../../frame/device-name.ts'
import { readJsonBody } from '../../frame/json-body.ts'
import { problem } from '../../frame/problem.ts'
import type { SessionCookies } from '../../frame/session-cookies.ts'
import { createTurnstile } from '../../frame/turnstile.ts'
import type { IdentityService } from '../../identity/identity.ts'
import { sameAccount } from '../../identity/reproof.ts'

export interface OpenSessionOptions {
  /** Null when the identity configuration is invalid: then nobody can sign in. */
  readonly identity: IdentityService | null
  readonly policy: PolicySource
  readonly sessions: Sessions
  readonly cookies: SessionCookies
  readonly audit: AuditTrail
  /** Sign-ins of one account, on whichever gate. */
  readonly accountLimit: RateLimit
  readonly now: () => number
}

/**
 * Exchanges a fresh ID token for a session. The caller has checked the Origin. The refresh token, by which the account is
 * proven again from now on, is tried at once: one that names another account, or none, opens no session.
 *
 * Who can exhaust what: anybody can make the gate judge tokens, and nothing but judging one tells a colleague's from a
 * forged one, so none is refused unread, whatever its address did before. That costs a flood's sender more than us:
 *  - memory: 16 KB of body for each connection, and the connections are limited (4,096: 64 MB);
 *  - processor time: a forged RS256 token costs 0.06 ms and a genuine one 0.09, a quarter of what its request costs as a
 *    whole (measured: bench/README.md), so to judge none would save little; two run at a time, which leaves half of libuv's
 *    threads to the readers' files, and addresses take turns;
 *  - disk and log: refusals of one address share lines there (`refusal-sums.ts`), and those beyond the limit are answered 429.
 * What costs more (the exchange of the refresh token, the store) is for tokens that verified, and limited per account: only
 * for the account that was proven, so nobody can use up somebody else's.
 */
export function createOpenSession(options: OpenSessionOptions) {
  const { now, audit, sessions, cookies, accountLimit } = options
  const verifying = createTurnstile(2)
  const failures = createRateLimit({ burst: 20, perSecond: 1 / 3, now })

  function refuse(
    code: 'rejected' | 'not_admitted',
    reason: string,
    context: RequestContext,
    email: string | null,
  ) {
    const waitSeconds = failures.take(addressKey(context.clientAddress))
    audit.record('sign_in_refused', { reason, email, ...where(context) })
    return waitSeconds === 0 || code === 'not_admitted' ? problem(code) : tooMany(waitSeconds)
  }

  return async (request: GateRequest, context: RequestContext): Promise<GateResponse> => {
    const { identity: service } = options
    if (service === null) return problem('not_configured')
    const body = await readJsonBody(request, ROUTES.session.maxBodyBytes)
    if (body.kind === 'too_large') return problem('too_large')
    const tokens = body.kind === 'read' ? readTokens(body.value) : null
    if (tokens === null) return problem('bad_request')

    const client = addressKey(context.clientAddress)
    const verdict = await verifying(client, () => service.verify(tokens.idToken))
    if (!verdict.ok) return refuse('rejected', verdict.reason, context, null)
    const { identity } = verdict
    if (!admits(options.policy(), identity.email))
      return refuse('not_admitted', 'policy', context, identity.email)
    const accountWaitSeconds = await accountLimit.take(identity.sub)
    if (accountWaitSeconds > 0) return tooMany(accountWaitSeconds)
    const proof = sameAccount(identity, await service.reprove(tokens.refreshToken))
    if (proof.kind === 'unavailable') throw new UnavailableError('identity_unavailable', proof.reason)
    if (proof.kind !== 'proven')
      return refuse('rejected', `refresh_token ${proof.reason}`, context, identity.email)

    const spent = { digest: digestOf(tokens.idToken), expiresAtMs: verdict.expiresAtMs + 60_000 }
    const started = await sessions.start({
      identity,
      refreshToken: proof.refreshToken,
      spent,
      device: deviceName(request.headers.get('user-agent')),
      address: context.clientAddress,
    })
    if (started.kind !== 'started') {
      const code = started.kind === 'replayed' ? 'rejected' : 'not_admitted'
      return refuse(code, started.kind, context, identity.email)
    }

    const earlier = cookies.readKey(request)
    if (earlier.kind === 'present') await sessions.signOut(earlier.key, 'one')
    await recordSignIn(audit, sessions, started, context)
    context.isReader = true
    const headers = new Headers()
    cookies.give(headers, started.token, started.session)
    return new Response(null, { status: 204, headers })
  }
}

/** A session without a line on the disk is none: whoever signs in is told to try again. */
async function recordSignIn(
  audit: AuditTrail,
  sessions: Sessions,
  { session, token }: { readonly session: Session; readonly token: string },
  context: RequestContext,
): Promise<void> {
  const { email, sub, id } = session
  try {
    await audit.recordDurably('signed_in', { email, sub, session: id, ...where(context) })
  } catch (error) {
    await sessions.end(sessionKeyOf(token), 'one', 'revoked') // nobody holds its token yet
    throw error
  }
}

function where({ clientAddress, requestId }: RequestContext) {
  return { client: clientAddress, request: requestId }
}

function tooMany(retryAfterSeconds: number): GateResponse {
  return problem('too_many_requests', { headers: { 'Retry-After': String(retryAfterSeconds) } })
}

/** Over header and payload only: a signature has several encodings, what it signs has one. */
function digestOf(idToken: string): string {
  return createHash('sha256')
    .update(idToken.slice(0, idToken.lastIndexOf('.')))
    .digest('base64url')
}

function readTokens(value: unknown): { readonly idToken: string; readonly refreshToken: string } | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('idToken' in value) || !('refreshToken' in value) || Object.keys(value).length !== 2) return null
  const { idToken, refreshToken } = value
  const areTexts = typeof idToken === 'string' && typeof refreshToken === 'string'
  return areTexts && idToken !== '' && refreshToken !== '' ? { idToken, refreshToken } : null
}
