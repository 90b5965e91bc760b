import type { Server } from './client.ts'
import type { OidcSettings } from './oidc-settings.ts'
import type { TokenClient } from './tokens.ts'

interface EndSessionOptions {
  readonly settings: OidcSettings
  readonly origin: URL
  readonly server: () => Promise<Server>
  readonly tokens: Pick<TokenClient, 'findIdToken'>
}

/** Servers refuse addresses that are much longer; the hint is left out then. */
const MAX_HINT_CHARS = 6_000

/**
 * Address that ends the provider's own session and returns to the portal (OpenID Connect RP-Initiated Logout 1.0 §2). Never fails: the
 * reader's sign-out here is complete.
 */
export function createEndSession({ settings, origin, server, tokens }: EndSessionOptions) {
  const { clientId, vendor } = settings
  return async (refreshToken: string | null): Promise<string | null> => {
    const { end_session_endpoint: endpoint } = await server().then(
      ({ metadata }) => metadata,
      () => ({ end_session_endpoint: undefined }),
    )
    const url = endpoint === undefined ? null : URL.parse(endpoint)
    if (url === null || !/^https?:$/.test(url.protocol)) return null
    const hint = refreshToken === null ? null : await tokens.findIdToken(refreshToken)
    const isUsable = hint !== null && hint.length <= MAX_HINT_CHARS
    if (vendor.needsLogoutHint && !isUsable) return null
    url.searchParams.set('client_id', clientId)
    url.searchParams.set('post_logout_redirect_uri', `${origin.origin}/`)
    if (isUsable) url.searchParams.set('id_token_hint', hint)
    return url.href
  }
}
