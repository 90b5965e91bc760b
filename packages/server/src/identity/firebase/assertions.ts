import type { JWTVerifyGetKey } from 'jose'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import { spentTokenOf } from '../id-token.ts'
import type { IdentityProvider, RejectionReason, Revalidation, Verdict } from '../provider.ts'
import type { ExchangeRefreshToken } from './token-exchange.ts'
import { createVerifier, type Verifier } from './verifier.ts'

export interface AssertionsOptions {
  readonly issuer: string
  readonly audience: string
  readonly keys: JWTVerifyGetKey
  readonly exchange: ExchangeRefreshToken
  readonly now: () => number
}

type Tokens = Readonly<Record<'idToken' | 'refreshToken', string>>

/**
 * Reads the SDK's two tokens, from Firebase and the local service alike; only sources of keys and exchanges differ. The refresh token, for
 * later revalidation, is tried at once: one of another account opens no session.
 */
export function createAssertions(
  options: AssertionsOptions,
): Required<Pick<IdentityProvider, 'readAssertion' | 'revalidate'>> {
  const verifier = createVerifier(options)
  const askAgain = (refreshToken: string) => revalidate(refreshToken, options.exchange, verifier)
  async function judge({ idToken, refreshToken }: Tokens): Promise<Verdict> {
    const verdict = await verifier(idToken, { fresh: true })
    if (!verdict.ok) return verdict
    const spent = spentTokenOf(idToken, verdict.expiresAtMs)
    return { ok: true, identity: verdict.identity, spent, prove: () => askAgain(refreshToken) }
  }
  return {
    readAssertion(body) {
      const tokens = readTokens(body)
      return tokens === null ? null : { judge: () => judge(tokens) }
    },
    revalidate: askAgain,
  }
}

/**
 * Rejections that concern the account. Wrong signatures and times concern late keys or a wrong clock: as the end of an account they would
 * sign out a whole team, and as an outage they would block all later revalidation.
 */
const ABOUT_THE_ACCOUNT: ReadonlySet<RejectionReason> = new Set(['provider', 'unverified_email'])

/** Codes of an exchange that speak about the account; the others speak about one token. */
const ACCOUNT_CODES: ReadonlySet<string> = new Set(['USER_DISABLED', 'USER_NOT_FOUND'])

/** An exchange is only as good as the ID token it returns, so that is verified like any other. */
async function revalidate(
  token: string,
  exchange: ExchangeRefreshToken,
  verify: Verifier,
): Promise<Revalidation> {
  const result = await exchange(token)
  if (result.kind === 'gone') {
    const { reason } = result
    return { kind: 'gone', about: ACCOUNT_CODES.has(reason) ? 'account' : 'token', reason }
  }
  if (result.kind !== 'alive') return result
  try {
    const verdict = await verify(result.idToken, { fresh: false })
    if (!verdict.ok) {
      const { reason } = verdict
      return ABOUT_THE_ACCOUNT.has(reason)
        ? { kind: 'gone', about: 'token', reason }
        : { kind: 'unclear', reason }
    }
    return { kind: 'proven', identity: verdict.identity, refreshToken: result.refreshToken }
  } catch (error) {
    if (error instanceof UnavailableError) return { kind: 'unavailable', reason: error.message }
    throw error
  }
}

function readTokens(value: unknown): Tokens | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('idToken' in value) || !('refreshToken' in value) || Object.keys(value).length !== 2) return null
  const { idToken, refreshToken } = value
  const areTexts = typeof idToken === 'string' && typeof refreshToken === 'string'
  return areTexts && idToken !== '' && refreshToken !== '' ? { idToken, refreshToken } : null
}
