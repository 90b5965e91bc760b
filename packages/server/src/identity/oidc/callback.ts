import { type SignInProblem, signInProblemCookie } from '@sekisho/contract/sign-in-problem'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import * as oauth from 'oauth4webapi'
import type { Handler, RequestContext } from '../../kernel/boundary.ts'
import { setCookie } from '../../kernel/client/cookies.ts'
import { spentTokenOf } from '../id-token.ts'
import {
  type Claim,
  type Revalidation,
  SignInFailure,
  type SignInOutcome,
  type SignInReceiver,
} from '../provider.ts'
import type { Server } from './client.ts'
import type { OidcSettings } from './oidc-settings.ts'
import type { TokenClient, TokensReading } from './tokens.ts'
import type { Transaction, Transactions } from './transaction.ts'

interface CallbackOptions {
  readonly settings: OidcSettings
  readonly origin: URL
  readonly server: () => Promise<Server>
  readonly tokens: TokenClient
  readonly transactions: Transactions
  readonly redirectUri: string
}

const STATE = /^[A-Za-z0-9_-]{43}$/
const PROBLEM_SECONDS = 60

/** Errors with which a provider answers a silent request that would have to show something. */
const NEEDS_READER: ReadonlySet<string> = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])

/** Takes a browser back from the provider: with a session to the page it asked for, or with a problem to the login page there. */
export function createCallback(options: CallbackOptions, receiver: SignInReceiver): Handler {
  const { origin, tokens, transactions } = options
  const secure = origin.protocol === 'https:'

  /** Sends the browser on; what it brought is forgotten either way. */
  function send(to: string, headers: Headers, problem: SignInProblem | null): GateResponse {
    const value = problem === null ? '' : Buffer.from(JSON.stringify(problem)).toString('base64url')
    const maxAgeSeconds = problem === null ? 0 : PROBLEM_SECONDS
    const cookie = setCookie(signInProblemCookie(secure), value, { secure, httpOnly: false, maxAgeSeconds })
    headers.append('Set-Cookie', cookie)
    headers.set('Location', origin.origin + to)
    return new Response(null, { status: 303, headers })
  }

  async function finish(
    reading: TokensReading,
    request: GateRequest,
    context: RequestContext,
  ): Promise<SignInOutcome> {
    if (!reading.ok) {
      // A token that came this moment and is over already was judged by a clock that is wrong.
      if (reading.reason === 'expired') throw new SignInFailure('clock', {})
      return receiver.refuse(reading.reason, context)
    }
    const { identity, doubt, idToken, expiresAtMs, refreshToken } = reading
    const claim: Claim = {
      ok: true,
      identity,
      doubt,
      spent: spentTokenOf(idToken, expiresAtMs),
      prove: async (): Promise<Revalidation> => {
        const once: Revalidation = { kind: 'proven', identity, refreshToken: null }
        if (refreshToken === null) return once
        const proof = await tokens.revalidate(refreshToken)
        return proof.kind === 'unclear' ? once : proof // one that cannot be used is none
      },
    }
    return receiver.admit(claim, request, context)
  }

  /** Meaning of a provider's or transport error for the reader. */
  function explain(error: unknown, isSilent: boolean, context: RequestContext): SignInProblem['code'] {
    if (error instanceof oauth.AuthorizationResponseError) {
      if (isSilent && NEEDS_READER.has(error.error)) return 'silent'
      if (error.error === 'access_denied') return 'cancelled'
      if (/^(?:temporarily_unavailable|server_error)$/.test(error.error)) return 'identity-unavailable'
      return codeOf(receiver.refuse(`authorization ${error.error}`, context))
    }
    if (error instanceof oauth.OperationProcessingError)
      return codeOf(receiver.refuse(`response ${error.code ?? 'odd'}`, context))
    if (error instanceof oauth.ResponseBodyError)
      return codeOf(receiver.refuse(`code ${error.error}`, context))
    return receiver.fail(error) === 'unavailable' ? 'unavailable' : 'identity-unavailable'
  }

  async function judge(
    request: GateRequest,
    context: RequestContext,
    { state, bound }: { readonly state: string; readonly bound: Transaction },
  ): Promise<SignInOutcome | { readonly kind: 'tenant' }> {
    const { settings, redirectUri } = options
    const { metadata } = await options.server().catch((cause: unknown) => {
      throw new SignInFailure('discovery', { cause })
    })
    const params = oauth.validateAuthResponse(
      metadata,
      { client_id: settings.clientId },
      new URL(request.url).searchParams,
      state,
    )
    const { nonce, codeVerifier } = bound
    const reading = await tokens.exchange(params, { redirectUri, codeVerifier, nonce })
    const outcome = await finish(reading, request, context)
    return !reading.ok && reading.reason === 'tenant' ? { kind: 'tenant' } : outcome
  }

  return async (request, context) => {
    const state = new URL(request.url).searchParams.get('state') ?? ''
    if (!STATE.test(state)) return send('/', new Headers(), { code: 'expired', email: null })
    const {
      transaction: bound,
      expiresAtMs,
      returnTo,
      isRepeated,
      cookie,
    } = transactions.take(state, request)
    const headers = new Headers({ 'Set-Cookie': cookie })
    if (bound === null)
      return send(returnTo ?? '/', headers, isRepeated ? null : { code: 'expired', email: null })
    try {
      if (!(await receiver.spendState(state, expiresAtMs)))
        return send(bound.returnTo, headers, { code: 'expired', email: null })
      const outcome = await judge(request, context, { state, bound })
      if (outcome.kind === 'tenant') return send(bound.returnTo, headers, { code: 'tenant', email: null })
      if (outcome.kind !== 'started')
        return send(bound.returnTo, headers, { code: codeOf(outcome), email: emailOf(outcome) })
      for (const cookie of outcome.headers.getSetCookie()) headers.append('Set-Cookie', cookie)
      return send(bound.returnTo, headers, null)
    } catch (error) {
      return send(bound.returnTo, headers, { code: explain(error, bound.isSilent, context), email: null })
    }
  }
}

function codeOf(outcome: SignInOutcome): SignInProblem['code'] {
  if (outcome.kind === 'too_many') return 'too-many-requests'
  if (outcome.kind !== 'refused' || outcome.code !== 'not_admitted') return 'rejected'
  if (outcome.reason === 'no_email') return 'no-email'
  return outcome.reason === 'email_unverified' ? 'unverified-email' : 'refused'
}

function emailOf(outcome: SignInOutcome): string | null {
  return outcome.kind === 'refused' ? outcome.email : null
}
