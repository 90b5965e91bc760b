import { UnavailableError } from '@sekisho/state/unavailable-error'
import type { JWTVerifyGetKey } from 'jose'
import type { IdentityService, RejectionReason, Reproof } from './identity.ts'
import { createRemoteKeys } from './key-set.ts'
import { createTokenExchange, type ExchangeRefreshToken } from './token-exchange.ts'
import { createVerifier, type Verifier } from './verifier.ts'

export interface IdentityServiceOptions {
  readonly issuer: string
  readonly audience: string
  readonly keys: JWTVerifyGetKey
  readonly exchange: ExchangeRefreshToken
  readonly now: () => number
}

/** One service for production and local mode alike: they differ in where keys and exchanges come from. */
export function createIdentityService(options: IdentityServiceOptions): IdentityService {
  const verifier = createVerifier(options)
  return {
    verify: (idToken) => verifier(idToken, { fresh: true }),
    reprove: (refreshToken) => reprove(refreshToken, options.exchange, verifier),
  }
}

/**
 * Only these speak about the account. A signature or a time that does not fit speaks about keys that are on their way
 * or a clock that is wrong, ours as likely as theirs: taken for "gone", it would sign a whole team out at once; taken
 * for an outage, it would keep everybody behind it from being proven.
 */
const ABOUT_THE_ACCOUNT: ReadonlySet<RejectionReason> = new Set(['provider', 'unverified_email'])

/** An exchange is only as good as the ID token it returns, so that is verified like any other. */
async function reprove(token: string, exchange: ExchangeRefreshToken, verify: Verifier): Promise<Reproof> {
  const result = await exchange(token)
  if (result.kind !== 'alive') return result
  try {
    const verdict = await verify(result.idToken, { fresh: false })
    if (!verdict.ok) {
      return { kind: ABOUT_THE_ACCOUNT.has(verdict.reason) ? 'gone' : 'unclear', reason: verdict.reason }
    }
    return { kind: 'proven', identity: verdict.identity, refreshToken: result.refreshToken }
  } catch (error) {
    if (error instanceof UnavailableError) return { kind: 'unavailable', reason: error.message }
    throw error
  }
}

export interface FirebaseOptions {
  readonly projectId: string
  readonly apiKey: string
  readonly origin: URL
  readonly fetch: typeof fetch
  readonly now: () => number
}

const KEYS_URL = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** The `iss` of a project's ID tokens. */
export function firebaseIssuer(projectId: string): string {
  return `https://securetoken.google.com/${projectId}`
}

/** Firebase Authentication; refuses `demo-` projects, which exist only on a developer's machine. */
export function createFirebaseIdentity({
  projectId,
  apiKey,
  origin,
  fetch,
  now,
}: FirebaseOptions): IdentityService {
  if (projectId.startsWith('demo-')) throw new TypeError('a demo- project is never verified against Firebase')
  return createIdentityService({
    issuer: firebaseIssuer(projectId),
    audience: projectId,
    keys: createRemoteKeys({ url: new URL(KEYS_URL), fetch, now }),
    exchange: createTokenExchange({ apiKey, origin, fetch }),
    now,
  })
}
