import { type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Identity } from '../../state/sessions/index.ts'
import { rejectionOf } from '../id-token.ts'
import type { RejectionReason } from '../provider.ts'

/** The result of judging an ID token. */
type TokenVerdict =
  | { readonly ok: true; readonly identity: Identity; readonly expiresAtMs: number }
  | { readonly ok: false; readonly reason: RejectionReason }

interface VerifierOptions {
  readonly issuer: string
  readonly audience: string
  readonly keys: JWTVerifyGetKey
  readonly now: () => number
}

interface VerifyRules {
  /** Also requires a sign-in of the last five minutes: true at sign-in, false for revalidation. */
  readonly fresh: boolean
}

export type Verifier = (token: string, rules: VerifyRules) => Promise<TokenVerdict>

const TOLERANCE_SECONDS = 30
/** Firebase's own rule for exchanging an ID token for a session. */
const MAX_AUTH_AGE_SECONDS = 300
/** Firebase ID tokens live one hour; a longer one is not one. */
const MAX_LIFETIME_SECONDS = 3_600
const MAX_TOKEN_CHARS = 8_192
const MAX_SUB_CHARS = 128

/** Every other header parameter (`jku`, `x5u`, `jwk`, `crit`, `zip`, …) would let the token choose its own judge. */
const HEADER_PARAMETERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ'])

/** Judges Firebase ID tokens: RS256 by the issuer's published keys, and each claim of identity-facts. */
export function createVerifier({ issuer, audience, keys, now }: VerifierOptions): Verifier {
  return async (token, { fresh }) => {
    if (token.length > MAX_TOKEN_CHARS) return rejected('malformed')
    const nowSeconds = Math.floor(now() / 1_000)
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer,
        audience,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ['exp', 'iat', 'sub'],
      })
      if (!isPlainHeader(protectedHeader)) return rejected('malformed')
      return readIdentity(payload, { issuer, audience, nowSeconds, fresh })
    } catch (error) {
      const reason = rejectionOf(error)
      if (reason === null) throw error
      return rejected(reason)
    }
  }
}

function rejected(reason: RejectionReason): TokenVerdict {
  return { ok: false, reason }
}

function isPlainHeader(header: JWTHeaderParameters): boolean {
  const isKnown = Object.keys(header).every((name) => HEADER_PARAMETERS.has(name))
  return isKnown && typeof header.kid === 'string' && (header.typ === undefined || header.typ === 'JWT')
}

interface ClaimRules {
  readonly issuer: string
  readonly audience: string
  readonly nowSeconds: number
  readonly fresh: boolean
}

function readIdentity(claims: JWTPayload, rules: ClaimRules): TokenVerdict {
  const { sub, exp = 0, iat = Number.NaN, auth_time: authTime, email, name, firebase } = claims
  const latest = rules.nowSeconds + TOLERANCE_SECONDS
  // jose accepts a list that contains the wanted audience; an ID token has exactly one.
  if (claims.iss !== rules.issuer || claims.aud !== rules.audience) return rejected('claims')
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUB_CHARS) return rejected('claims')
  if (!(iat <= latest) || !(exp <= latest + MAX_LIFETIME_SECONDS)) return rejected('claims')
  if (typeof authTime !== 'number' || !(authTime <= latest)) return rejected('claims')
  if (rules.fresh && authTime < rules.nowSeconds - MAX_AUTH_AGE_SECONDS) return rejected('stale')
  if (readProvider(firebase) !== 'google.com') return rejected('provider')
  if (typeof email !== 'string' || email === '') return rejected('unverified_email')
  if (claims.email_verified !== true) return rejected('unverified_email')
  return {
    ok: true,
    identity: {
      issuer: rules.issuer,
      sub,
      email,
      name: typeof name === 'string' && name !== '' ? name : null,
      sid: null,
      vouched: { address: true, groups: [], hasAllGroups: true },
    },
    expiresAtMs: exp * 1_000,
  }
}

function readProvider(firebase: unknown): unknown {
  const isObject = typeof firebase === 'object' && firebase !== null && 'sign_in_provider' in firebase
  return isObject ? firebase.sign_in_provider : undefined
}
