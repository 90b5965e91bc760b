import { createPrivateKey } from 'node:crypto'
import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { importPKCS8 } from 'jose'
import * as oauth from 'oauth4webapi'
import { createRemoteKeys } from '../key-set.ts'
import type { OidcSettings } from './oidc-settings.ts'

/** Sends a request to the token endpoint with the client's credentials, in a way that the endpoint takes. */
export type ClientAuthFor = <Answer>(
  server: oauth.AuthorizationServer,
  ask: (auth: oauth.ClientAuth) => Promise<Answer>,
) => Promise<Answer>

/**
 * Authenticates the client as the operator configured; else by Basic, the registration default (OpenID Connect Core §9), or in the body
 * where the endpoint announces that alone or refuses the client otherwise.
 */
export async function createClientAuth({
  credential,
  tokenAuth,
}: Pick<OidcSettings, 'credential' | 'tokenAuth'>): Promise<ClientAuthFor> {
  if ('isPublic' in credential) return (_server, ask) => ask(oauth.None())
  if ('privateKey' in credential) {
    const type = createPrivateKey(credential.privateKey).asymmetricKeyType
    const key = await importPKCS8(credential.privateKey, type === 'ec' ? 'ES256' : 'RS256')
    return (_server, ask) => ask(oauth.PrivateKeyJwt(key))
  }
  const { secret } = credential
  const ways = { client_secret_basic: basic(secret), client_secret_post: oauth.ClientSecretPost(secret) }
  let known = tokenAuth === 'none' ? null : tokenAuth
  return async ({ token_endpoint_auth_methods_supported: announced }, ask) => {
    const isOffered = (way: SecretWay) => announced === undefined || announced.includes(way)
    const offered = SECRET_WAYS.filter(isOffered)
    const [first = 'client_secret_basic', second] = known === null ? offered : [known]
    try {
      return await ask(ways[first])
    } catch (error) {
      if (second === undefined || !isClientRefused(error)) throw error
      return ask(ways[second])
        .catch((error) => {
          if (!isClientRefused(error)) known = second // it knew the client, and refused something else
          throw error
        })
        .then((answer) => {
          known = second
          return answer
        })
    }
  }
}

const SECRET_WAYS = ['client_secret_basic', 'client_secret_post'] as const
type SecretWay = (typeof SECRET_WAYS)[number]

/** An endpoint that does not know the client (RFC 6749 §5.2). */
export function isClientRefused(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true
  return error instanceof oauth.ResponseBodyError && /^(?:invalid|unauthorized)_client$/.test(error.error)
}

/**
 * Id and secret form-encoded inside of Basic (RFC 6749 §2.3.1), with no character encoded that need not be: most secrets are the same
 * for endpoints that forget to decode.
 */
function basic(secret: string): oauth.ClientAuth {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return (_server, { client_id: id }, _body, headers) => {
    const pair = `${encode(id)}:${encode(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
}

export interface ServerOptions {
  readonly issuer: string
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** Discovered provider: its addresses and its signing keys. */
export interface Server {
  readonly metadata: oauth.AuthorizationServer
  readonly keys: ReturnType<typeof createRemoteKeys>
}

/** Its addresses change with its software, its keys by themselves. */
const METADATA_AGE_MS = 3_600_000
/** Discovery documents are below 20 KB, token responses with three tokens below 100 KB. */
const BOUNDS = { maxBytes: 512 * 1024, timeoutMs: 10_000 }

type OwnInit = Omit<RequestInit, 'body'> & { readonly body?: RequestInit['body'] | undefined }

/** Options of every request: no redirect is followed, bytes and time are bounded, and http is for a provider on this machine alone. */
export function requestOptions({ issuer, fetch }: Pick<ServerOptions, 'issuer' | 'fetch'>) {
  const send = boundFetch(fetch, BOUNDS)
  return {
    [oauth.customFetch]: (url: string, { body, ...init }: OwnInit) =>
      send(url, { ...init, body: body ?? null }),
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  }
}

/** Reads the provider's own description, at the first use and once an hour; concurrent callers share it. */
export function createServer(options: ServerOptions): () => Promise<Server> {
  const { issuer, fetch, now } = options
  let known: (Server & { readonly readAtMs: number }) | null = null
  let reading: Promise<Server> | null = null

  async function read(): Promise<Server> {
    const url = new URL(issuer)
    const response = await oauth.discoveryRequest(url, { ...requestOptions(options), algorithm: 'oidc' })
    const metadata = await oauth.processDiscoveryResponse(url, response)
    if (metadata.issuer !== issuer)
      throw new Error(`the provider calls itself ${metadata.issuer}, not ${issuer}`)
    if (metadata.jwks_uri === undefined) throw new Error('the provider names no keys')
    const isSame = known?.metadata.jwks_uri === metadata.jwks_uri
    const keys =
      known !== null && isSame
        ? known.keys
        : createRemoteKeys({ url: new URL(metadata.jwks_uri), fetch, now })
    known = { metadata, keys, readAtMs: now() }
    return known
  }
  return async () => {
    const ageMs = known === null ? null : now() - known.readAtMs
    if (known !== null && ageMs !== null && ageMs >= 0 && ageMs < METADATA_AGE_MS) return known
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
}
