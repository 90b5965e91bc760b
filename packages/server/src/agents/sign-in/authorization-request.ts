import { agentResource } from '@sekisho/contract/agents'
import { type Client, isVouchedFor } from './clients.ts'
import { findRedirect, type RedirectUri } from './redirect-uris.ts'

/** A client's request for consent, once its identity and the destination of the response are certain. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirect: RedirectUri
  readonly state: string | null
  /** SHA-256 of what the client will show to exchange the code (RFC 7636). */
  readonly challenge: string
}

/**
 * `unknown`: no address for a response, so the reader is told. `refused`: the client is told without a click, so it must be a vouched one,
 * or this were an open redirect (RFC 9700, section 4.11.2).
 */
export type RequestReading =
  | { readonly kind: 'asked'; readonly request: AuthorizationRequest }
  | { readonly kind: 'unknown'; readonly what: 'client' | 'redirect' | 'request' }
  | {
      readonly kind: 'refused'
      readonly redirect: RedirectUri
      readonly state: string | null
      readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_target'
    }

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const MAX_STATE_CHARS = 1_024
/** Parameters that are read; each may be there once. */
const READ = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

/** Reads the query of an authorization request (RFC 6749, section 4.1.1). */
export async function readAuthorizationRequest(
  query: URLSearchParams,
  origin: URL,
  findClient: (id: string) => Promise<Client | null>,
): Promise<RequestReading> {
  if (READ.some((name) => query.getAll(name).length > 1)) return { kind: 'unknown', what: 'request' }
  const client = await findClient(query.get('client_id') ?? '')
  if (client === null) return { kind: 'unknown', what: 'client' }
  const redirect = findRedirect(client.redirects, query.get('redirect_uri') ?? '')
  if (redirect === null) return { kind: 'unknown', what: 'redirect' }
  const state = query.get('state')
  const challenge = query.get('code_challenge') ?? ''
  if (state !== null && state.length > MAX_STATE_CHARS) return { kind: 'unknown', what: 'request' }
  const refuse = (error: Extract<RequestReading, { readonly kind: 'refused' }>['error']): RequestReading => {
    return isVouchedFor(client)
      ? { kind: 'refused', redirect, state, error }
      : { kind: 'unknown', what: 'request' }
  }
  if (query.get('response_type') !== 'code') return refuse('unsupported_response_type')
  const isQuery = (query.get('response_mode') ?? 'query') === 'query'
  const isHashed = query.get('code_challenge_method') === 'S256' && CHALLENGE.test(challenge)
  if (!isQuery || !isHashed) return refuse('invalid_request')
  if (!isResource(query.get('resource'), origin)) return refuse('invalid_target')
  return { kind: 'asked', request: { client, redirect, state, challenge } }
}

/** Tells if the requested token is for this resource; requests without one mean it too. */
export function isResource(resource: string | null, origin: URL): boolean {
  const resources = [agentResource(origin), `${agentResource(origin)}/`, origin.origin, origin.href]
  return resource === null || resources.includes(resource)
}

/** Address of the response, with the issuer, by which clients of several servers identify it (RFC 9207). */
export function answerTo(
  { redirect, state }: Pick<AuthorizationRequest, 'redirect' | 'state'>,
  answer: Readonly<Record<string, string>>,
  origin: URL,
): string {
  const url = new URL(redirect.url)
  for (const [name, value] of Object.entries({ ...answer, iss: origin.origin }))
    url.searchParams.set(name, value)
  if (state !== null) url.searchParams.set('state', state)
  return url.href
}
