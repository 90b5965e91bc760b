import { createPrivateKey } from 'node:crypto'
import { importPKCS8 } from 'jose'
import * as oauth from 'oauth4webapi'
import { createRemoteKeys } from '../key-set.ts'
import type { OidcSettings } from './oidc-settings.ts'

/** How the gate shows a token endpoint who it is, by what the endpoint takes. */
export type ClientAuthFor = (server: oauth.AuthorizationServer) => oauth.ClientAuth

/** Makes it of a secret or of a private key in PEM. */
export async function createClientAuth(credential: OidcSettings['credential']): Promise<ClientAuthFor> {
  if ('secret' in credential) {
    const { secret } = credential
    // Form encoding inside of Basic is where providers differ, so the body is preferred.
    return ({ token_endpoint_auth_methods_supported: methods }) =>
      methods?.includes('client_secret_post') === true
        ? oauth.ClientSecretPost(secret)
        : oauth.ClientSecretBasic(secret)
  }
  const type = createPrivateKey(credential.privateKey).asymmetricKeyType
  const key = await importPKCS8(credential.privateKey, type === 'ec' ? 'ES256' : 'RS256')
  return () => oauth.PrivateKeyJwt(key)
}

export interface ServerOptions {
  readonly issuer: string
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** What is known of a provider: its addresses and the keys it signs with. */
export interface Server {
  readonly metadata: oauth.AuthorizationServer
  readonly keys: ReturnType<typeof createRemoteKeys>
}

/** Its addresses change with its software, its keys by themselves. */
const METADATA_AGE_MS = 3_600_000
const TIMEOUT_MS = 10_000

type OwnInit = Omit<RequestInit, 'body'> & { readonly body?: RequestInit['body'] | undefined }

/** Options of every request: nothing is followed, everything ends in time, and http is for a provider on this machine alone. */
export function requestOptions({ issuer, fetch }: Pick<ServerOptions, 'issuer' | 'fetch'>) {
  return {
    [oauth.customFetch]: (url: string, { body, ...init }: OwnInit) =>
      fetch(url, { ...init, body: body ?? null }),
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
}

/** Reads the provider's own description, at the first use and once an hour; one for everybody who asks meanwhile. */
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
