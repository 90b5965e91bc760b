import { type JWTPayload, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import type { Identity } from '../../state/sessions/index.ts'
import { rejectionOf } from '../id-token.ts'
import { readRetryAfterMs } from '../pace.ts'
import { type AddressDoubt, type RejectionReason, type Revalidation, SignInFailure } from '../provider.ts'
import { readAccount } from './account.ts'
import { type ClientAuthFor, isClientRefused, type Server } from './client.ts'
import { ALGORITHMS, type OidcSettings, TOLERANCE_SECONDS } from './oidc-settings.ts'
import type { CompleteClaims } from './userinfo.ts'

const MAX_TOKEN_CHARS = 65_536
/** Timeout while a reader waits for sign-out. */
const HINT_MS = 3_000

/** The tokens of a sign-in, verified. */
export type TokensReading =
  | {
      readonly ok: true
      readonly identity: Identity
      readonly doubt: AddressDoubt | null
      readonly idToken: string
      readonly expiresAtMs: number
      readonly refreshToken: string | null
    }
  | { readonly ok: false; readonly reason: RejectionReason }

interface TokenClientOptions {
  readonly settings: OidcSettings
  readonly server: () => Promise<Server>
  readonly auth: ClientAuthFor
  readonly complete: CompleteClaims
  readonly request: () => oauth.TokenEndpointRequestOptions
  readonly now: () => number
}

/** Requests to the token endpoint, and judgement of its responses. */
export interface TokenClient {
  /** Exchanges the code of a callback. Throws `oauth4webapi`'s errors for what the provider refuses, and `SignInFailure` for what it could not judge. */
  exchange(params: URLSearchParams, bound: BoundRequest): Promise<TokensReading>
  revalidate(refreshToken: string): Promise<Revalidation>
  /** A new ID token of the account, to name it when its session ends; null when there is none to be had soon. */
  findIdToken(refreshToken: string): Promise<string | null>
}

/** Values that a callback must match. */
interface BoundRequest {
  readonly redirectUri: string
  readonly codeVerifier: string
  readonly nonce: string
}

export function createTokenClient(options: TokenClientOptions): TokenClient {
  const { settings, auth, request, now } = options
  const client: oauth.Client = { client_id: settings.clientId, [oauth.clockTolerance]: TOLERANCE_SECONDS }

  /** The signature and every claim, by keys of the issuer alone. */
  async function judge(server: Server, answer: oauth.TokenEndpointResponse): Promise<TokensReading> {
    const { id_token: idToken, refresh_token: refreshToken } = answer
    if (idToken === undefined || idToken.length > MAX_TOKEN_CHARS) return { ok: false, reason: 'malformed' }
    const { issuer, clientId } = settings
    try {
      const { payload } = await jwtVerify(idToken, server.keys, {
        algorithms: ALGORITHMS,
        issuer,
        audience: clientId,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ['exp', 'iat', 'sub'],
      })
      if (!isForUs(payload, clientId)) return { ok: false, reason: 'claims' }
      const claims = await options.complete(server, payload, answer.access_token).catch((cause: unknown) => {
        throw new SignInFailure('userinfo', { cause })
      })
      if (claims === null) return { ok: false, reason: 'userinfo' }
      const reading = readAccount(claims, settings)
      if (!reading.ok) return reading
      const expiresAtMs = (payload.exp ?? 0) * 1_000
      return {
        ok: true,
        identity: reading.identity,
        doubt: reading.doubt,
        idToken,
        expiresAtMs,
        refreshToken: refreshToken ?? null,
      }
    } catch (error) {
      const reason = rejectionOf(error)
      if (error instanceof SignInFailure) throw error
      if (reason === null) throw new SignInFailure('keys', { cause: error })
      return { ok: false, reason }
    }
  }

  async function refresh(
    refreshToken: string,
    how: oauth.TokenEndpointRequestOptions,
  ): Promise<TokensReading> {
    const server = await options.server()
    const { metadata } = server
    const answer = await auth(metadata, async (own) =>
      oauth.processRefreshTokenResponse(
        ...([metadata, client] as const),
        await oauth.refreshTokenGrantRequest(metadata, client, own, refreshToken, how),
      ),
    )
    return judge(server, answer)
  }

  return {
    async exchange(params, { redirectUri, codeVerifier, nonce }) {
      const server = await options.server()
      const { metadata } = server
      const expected = { expectedNonce: nonce, requireIdToken: true }
      const answer = await auth(metadata, async (own) => {
        const sent = [metadata, client, own, params, redirectUri, codeVerifier] as const
        const response = await oauth.authorizationCodeGrantRequest(...sent, request())
        return oauth.processAuthorizationCodeResponse(metadata, client, response, expected)
      }).catch((error: unknown) => {
        throw isRefusal(error) ? error : new SignInFailure(causeOf(error), { cause: error })
      })
      return judge(server, answer)
    },
    async findIdToken(refreshToken) {
      const options = { ...request(), signal: AbortSignal.timeout(HINT_MS) }
      const reading = await refresh(refreshToken, options).catch(() => null)
      return reading?.ok === true ? reading.idToken : null
    },
    async revalidate(refreshToken) {
      try {
        const reading = await refresh(refreshToken, request())
        if (!reading.ok) return refusalOf(reading.reason)
        return {
          kind: 'proven',
          identity: reading.identity,
          refreshToken: reading.refreshToken ?? refreshToken,
        }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** jose accepts a list of audiences that contains ours; one for several is for us only where `azp` says so. */
function isForUs({ aud, azp }: JWTPayload, clientId: string): boolean {
  return (aud === clientId || azp === clientId) && (azp === undefined || azp === clientId)
}

/** Another tenant speaks about the account; a signature or a time that does not fit may be ours to mend. */
function refusalOf(reason: RejectionReason): Revalidation {
  return reason === 'tenant' ? { kind: 'gone', about: 'account', reason } : { kind: 'unclear', reason }
}

/** Codes of answers that no token endpoint gives: a page of a proxy, a status without the body that goes with it. */
const NOT_AN_ANSWER: ReadonlySet<unknown> = new Set([
  oauth.RESPONSE_IS_NOT_JSON,
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.PARSE_ERROR,
])

/** The provider's word on itself, with whatever status. */
const TEMPORARY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

/** Recognises a body without the members of a token response; its other mistakes are of the ID token. */
function isMalformed({ code, cause }: oauth.OperationProcessingError): boolean {
  return code === oauth.INVALID_RESPONSE && typeof cause === 'object' && cause !== null && 'body' in cause
}

/** The provider's word on this code or on this reader's tokens, as opposed to a fault of its own or of our settings. */
function isRefusal(error: unknown): boolean {
  if (error instanceof oauth.OperationProcessingError)
    return !NOT_AN_ANSWER.has(error.code) && error.code !== oauth.JWT_TIMESTAMP_CHECK && !isMalformed(error)
  const isError = error instanceof oauth.ResponseBodyError && !isClientRefused(error)
  return isError && error.status < 500 && error.status !== 429 && !TEMPORARY.has(error.error)
}

function causeOf(error: unknown): SignInFailure['failure'] {
  if (isClientRefused(error)) return 'client'
  const isTime = error instanceof oauth.OperationProcessingError && error.code === oauth.JWT_TIMESTAMP_CHECK
  return isTime ? 'clock' : 'token_endpoint'
}

/** Errors of the token endpoint that speak about this account or its token (RFC 6749 §5.2, OpenID Connect Core §3.1.2.6). */
const GONE: ReadonlySet<string> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required',
])
/** Entra's numbers for accounts that are disabled, deleted or locked (learn.microsoft.com, reference-error-codes). */
const ACCOUNT_NUMBERS: ReadonlySet<number> = new Set([50_034, 50_053, 50_057])

/** Milliseconds after which a provider that limits requests may be asked again; null for any other error. */
function limitOf(error: unknown): number | null {
  const isBody = error instanceof oauth.ResponseBodyError
  const response = isBody ? error.response : error instanceof Error ? error.cause : null
  if (!(response instanceof Response)) return null
  const retryAfter = response.headers.get('retry-after')
  const isLimited = response.status === 429 || (response.status === 503 && retryAfter !== null)
  return isLimited ? readRetryAfterMs(retryAfter, Date.now()) : null
}

/** Meaning of a failed request: about the account, about our request, or none. */
export function failureOf(error: unknown): Extract<Revalidation, { readonly reason: string }> {
  const limitedMs = limitOf(error)
  if (limitedMs !== null) return { kind: 'unavailable', reason: 'rate_limited', limitedMs }
  if (error instanceof oauth.ResponseBodyError) {
    if (error.status >= 500 || TEMPORARY.has(error.error))
      return { kind: 'unavailable', reason: `status ${error.status}` }
    if (!GONE.has(error.error)) return { kind: 'unclear', reason: error.error }
    const numbers = Array.isArray(error.cause.error_codes) ? error.cause.error_codes : []
    const isAccount = numbers.some((number) => ACCOUNT_NUMBERS.has(Number(number)))
    return { kind: 'gone', about: isAccount ? 'account' : 'token', reason: error.error }
  }
  if (error instanceof SignInFailure) return { kind: 'unavailable', reason: error.failure }
  const reason = error instanceof Error ? error.name : 'unknown'
  const isAnswer = error instanceof oauth.WWWAuthenticateChallengeError
  return { kind: isAnswer ? 'unclear' : 'unavailable', reason }
}
