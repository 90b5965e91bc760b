import { signInRoutes } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import { type JWTPayload, jwtVerify } from 'jose'
import type { Handler } from '../../kernel/boundary.ts'
import { readFormBody, readJsonBody } from '../../kernel/json-body.ts'
import { problem } from '../../kernel/pages/problem.ts'
import type { IssuerEnd } from '../../state/sessions/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import { rejectionOf } from '../id-token.ts'
import type { SignInReceiver } from '../provider.ts'
import type { Server } from './client.ts'
import { ALGORITHMS, type OidcSettings, TOLERANCE_SECONDS } from './oidc-settings.ts'

interface LogoutOptions {
  readonly settings: OidcSettings
  readonly server: () => Promise<Server>
  readonly now: () => number
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A message older than this is not acted on, and each is acted on once while it is younger. */
const MAX_AGE_SECONDS = 120
const MAX_KNOWN = 10_000

/** Judges tokens with which the provider speaks to the gate itself; each counts once at this gate. */
function createJudge({ settings, server, now }: LogoutOptions) {
  const seenAtMs = new Map<string, number>() // by `jti`, in the order they came

  function isFirst(jti: string): boolean {
    for (const [old, atMs] of seenAtMs) {
      if (now() - atMs < 2 * MAX_AGE_SECONDS * 1_000 && seenAtMs.size < MAX_KNOWN) break
      seenAtMs.delete(old)
    }
    if (seenAtMs.has(jti)) return false
    seenAtMs.set(jti, now())
    return true
  }

  return async (token: string, audience: string): Promise<JWTPayload | null> => {
    let keys: Server['keys']
    try {
      keys = (await server()).keys
    } catch (cause) {
      throw new UnavailableError('identity_unavailable', 'the provider cannot be read', { cause })
    }
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: settings.issuer,
        audience,
        clockTolerance: TOLERANCE_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ['iat', 'jti'],
      })
      return typeof payload.jti === 'string' && isFirst(payload.jti) ? payload : null
    } catch (error) {
      if (rejectionOf(error) === null) throw error
      return null
    }
  }
}

const DONE = (): GateResponse => new Response(null, { status: 204 })

/** OpenID Connect Back-Channel Logout 1.0, §2.6: ends the sessions that a logout token names, and says nothing of them. */
export function createLogout(options: LogoutOptions, receiver: SignInReceiver): Handler {
  const { settings } = options
  const judge = createJudge(options)
  const { maxBodyBytes } = signInRoutes(settings.name).logout
  return async (request, context) => {
    const token = (await readFormBody(request, maxBodyBytes))?.get('logout_token')
    const claims = typeof token === 'string' ? await judge(token, settings.clientId) : null
    const ended = claims === null ? null : readLogout(claims)
    if (ended === null) return problem('bad_request')
    await receiver.end(settings.issuer, ended, context)
    return DONE()
  }
}

/** An ID token is never a logout token: that has no nonce and the event. */
function readLogout({ events, nonce, sub, sid }: JWTPayload): IssuerEnd | null {
  const isLogout = typeof events === 'object' && events !== null && EVENT in events && nonce === undefined
  if (!isLogout) return null
  if (typeof sid === 'string' && sid !== '') return { sid }
  return typeof sub === 'string' && sub !== '' ? { sub } : null
}

/** Global Token Revocation, as Okta's Universal Logout sends it: a bearer token for this very address names the sender. */
export function createRevocation(
  options: LogoutOptions & { readonly audience: string },
  receiver: SignInReceiver,
): Handler {
  const { settings, audience } = options
  const judge = createJudge(options)
  const { maxBodyBytes } = signInRoutes(settings.name).revocation
  return async (request, context) => {
    const [, token] = /^Bearer (\S{1,8192})$/.exec(request.headers.get('authorization') ?? '') ?? []
    if (token === undefined || (await judge(token, audience)) === null) return problem('rejected')
    const body = await readJsonBody(request, maxBodyBytes)
    const sub = body.kind === 'read' ? readSubject(body.value, settings.issuer) : null
    if (sub === null) return problem('bad_request')
    await receiver.end(settings.issuer, { sub }, context)
    return DONE()
  }
}

/** Only an account of the sender's own counts; an address is none. */
function readSubject(value: unknown, issuer: string): string | null {
  const id = typeof value === 'object' && value !== null && 'sub_id' in value ? value.sub_id : null
  if (typeof id !== 'object' || id === null || !('sub' in id) || !('iss' in id)) return null
  return id.iss === issuer && typeof id.sub === 'string' && id.sub !== '' ? id.sub : null
}
