import type { JSONWebKeySet } from 'jose'
import { createAccountFile } from './accounts/account-file.ts'
import { createAccounts } from './accounts/accounts.ts'
import { assertLocal, type LocalIdentityOptions } from './accounts/options.ts'
import { createIdentityApi, type RefreshResult } from './api.ts'
import type { IdentityRequest } from './http.ts'
import { PATHS } from './paths.ts'
import { answerRoute, createRoutes } from './routes.ts'
import { createTokenIssuer } from './tokens.ts'

export { LOCAL_DOMAIN } from './accounts/options.ts'

/** An identity service for one developer's machine: the calls of Firebase that a sign-in needs, and no others. */
export interface LocalIdentity {
  readonly issuer: string
  readonly audience: string
  /** The public half of the key made at start. */
  readonly jwks: JSONWebKeySet
  /** The exact paths that must be reachable without a session. */
  readonly paths: readonly string[]
  /** Answers a request for one of `paths`; headers, the security policy included, are complete. */
  handle(request: IdentityRequest): Promise<Response>
  /** Asks whether the account behind a refresh token may still sign in. */
  exchangeRefreshToken(refreshToken: string): Promise<RefreshResult>
}

/** Throws {@link LocalIdentityError} where the service must not run. */
export async function createLocalIdentity(options: LocalIdentityOptions): Promise<LocalIdentity> {
  assertLocal(options)
  const { projectId, origin, now = Date.now } = options
  const tokens = await createTokenIssuer(projectId, now)
  const file = createAccountFile(options.accountsFile, options.onWarning ?? console.warn)
  const accounts = createAccounts(file, now)
  const api = createIdentityApi(accounts, tokens)
  const routes = await createRoutes({ origin, accounts, api })
  return {
    issuer: tokens.issuer,
    audience: projectId,
    jwks: tokens.jwks,
    paths: Object.values(PATHS),
    handle: (request) => answerRoute(routes, origin, request),
    exchangeRefreshToken: api.exchangeRefreshToken,
  }
}
