import { AGENT_ROUTES } from '../requests/routes.ts'

/** All that an agent can be let do. */
export const AGENT_SCOPE = 'docs:read'

/** Audience of agents' tokens (RFC 8707): the address of MCP requests. */
export function agentResource(origin: URL): string {
  return new URL(AGENT_ROUTES.mcp.path, origin).href
}

/** Metadata of the protected resource, which names its authorization server (RFC 9728, section 2). */
export function resourceMetadata(origin: URL): object {
  return {
    resource: agentResource(origin),
    authorization_servers: [origin.origin],
    bearer_methods_supported: ['header'],
    scopes_supported: [AGENT_SCOPE],
  }
}

/** Challenge of a response to a missing or invalid token (RFC 9728, section 5.1; RFC 6750, section 3). */
export function challengeHeader(origin: URL): string {
  const metadata = new URL(AGENT_ROUTES.resourceOfMcp.path, origin).href
  return `Bearer resource_metadata="${metadata}", scope="${AGENT_SCOPE}"`
}

/**
 * Metadata of the authorization server (RFC 8414, section 2; RFC 9207). Clients may register unless the operator lists the permitted ones.
 */
export function authorizationServerMetadata(origin: URL, mayRegister: boolean): object {
  const at = (path: string) => new URL(path, origin).href
  return {
    issuer: origin.origin,
    authorization_endpoint: at(AGENT_ROUTES.authorize.path),
    token_endpoint: at(AGENT_ROUTES.token.path),
    revocation_endpoint: at(AGENT_ROUTES.revoke.path),
    ...(mayRegister && { registration_endpoint: at(AGENT_ROUTES.register.path) }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: [AGENT_SCOPE],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}

/** Error codes for clients (RFC 6749, section 5.2; RFC 7591, section 3.2.2; RFC 8707). The text depends on the code alone. */
export const OAUTH_ERRORS = {
  invalid_request: 'a parameter is missing, unknown, or there more than once',
  invalid_client: 'no client of this id is known here (any more), or it may not ask; register again',
  invalid_grant:
    'the code or refresh token is invalid, expired or issued to another client; ask the reader again',
  access_denied: 'the reader did not allow this client to read',
  unsupported_response_type: 'response_type must be code',
  unsupported_grant_type: 'grant_type must be authorization_code or refresh_token',
  invalid_target: 'resource must be the address of /mcp here',
  invalid_redirect_uri: 'redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1]',
  invalid_client_metadata: 'the metadata must be JSON with redirect_uris and, if any, a client_name',
  slow_down: 'too many requests; wait as long as Retry-After says',
} as const

export type OAuthError = keyof typeof OAUTH_ERRORS

export function oauthErrorDocument(error: OAuthError): {
  readonly error: OAuthError
  readonly error_description: string
} {
  return { error, error_description: OAUTH_ERRORS[error] }
}
