import type { LoginProvider } from '@sekisho/contract/login-page'
import { signInRoutes } from '@sekisho/contract/routes'
import { openRoute } from '../../kernel/route-table.ts'
import type { IdentityProvider, OpenProviderOptions } from '../provider.ts'
import { createStart } from './begin.ts'
import { createCallback } from './callback.ts'
import { type ClientAuthFor, createServer, requestOptions } from './client.ts'
import { createEndSession } from './end-session.ts'
import { createLogout, createRevocation } from './logout.ts'
import type { OidcSettings } from './oidc-settings.ts'
import { createTokenClient } from './tokens.ts'
import { createTransactions } from './transaction.ts'
import { createUserinfo } from './userinfo.ts'

interface OidcProviderOptions extends Pick<OpenProviderOptions, 'origin' | 'seal' | 'now'> {
  readonly settings: OidcSettings
  readonly login: LoginProvider
  readonly auth: ClientAuthFor
  readonly fetch?: typeof fetch
}

/** An OpenID provider: code, PKCE, state and nonce, on a page of its own (OpenID Connect Core §3.1, RFC 9700). */
export function createOidcProvider(options: OidcProviderOptions): IdentityProvider {
  const { settings, login, auth, origin, seal, now, fetch = globalThis.fetch } = options
  const { issuer, name } = settings
  const routes = signInRoutes(name)
  const redirectUri = origin.origin + routes.callback.path
  const server = createServer({ issuer, fetch, now })
  const request = () => requestOptions({ issuer, fetch })
  const complete = createUserinfo({ settings, fetch, now })
  const tokens = createTokenClient({ settings, server, auth, complete, request, now })
  const secure = origin.protocol === 'https:'
  const transactions = createTransactions({ seal, secure, provider: name, now })
  const parts = { settings, origin, server, tokens, transactions, redirectUri, now }
  return {
    issuer,
    login,
    revalidate: tokens.revalidate,
    endSession: createEndSession(parts),
    routes: (receiver) =>
      new Map([
        openRoute(routes.start, { POST: createStart(parts, receiver) }),
        openRoute(routes.callback, { GET: createCallback(parts, receiver) }),
        openRoute(routes.logout, { POST: createLogout(parts, receiver) }),
        openRoute(routes.revocation, {
          POST: createRevocation({ ...parts, audience: origin.origin + routes.revocation.path }, receiver),
        }),
      ]),
  }
}
