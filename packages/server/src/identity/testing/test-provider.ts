import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import Provider from 'oidc-provider'

/** A test provider's claims on an account; undefined for a disabled one. */
export type TestClaims = Readonly<Record<string, unknown>>

/** A certified OpenID provider (`oidc-provider`) on loopback, whose accounts and tokens a test holds in its hands. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
  /** By account id, which is `sub`; who is missing is disabled. */
  readonly accounts: Map<string, TestClaims>
  /** Next account to sign in, where no page asks. */
  next: string
  /** Answers the token endpoint first, with status, Retry-After and body; null for what the provider answers itself. */
  limit: () => readonly [status: number, retryAfter: string | null, body: string] | null
  /** Signs with the provider's own key. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** Signs with another key from now on, and publishes that alone. */
  rotateKeys(): Promise<void>
}

interface TestProviderOptions {
  /** Below the host, as in `/TENANT/v2.0`. */
  readonly path?: string
  readonly redirectUris: readonly string[]
  readonly givesRefreshTokens?: boolean
  /** Shows a page with a button for each account instead of signing in the next one. */
  readonly hasPages?: boolean
  readonly port?: number
  /** Signature algorithm. */
  readonly algorithm?: 'RS256' | 'ES256'
  readonly registeredAuth?: 'client_secret_basic' | 'client_secret_post' | 'none'
  readonly secret?: string
  /** Tells claims of scopes at the userinfo endpoint alone, which is this software's default. */
  readonly keepsToUserinfo?: boolean
  /** Public key by which the client shows who it is, in place of its secret. */
  readonly clientKey?: JWK
}

const CLAIMS =
  'tid oid groups roles _claim_names hasgroups hd xms_edov preferred_username https://docs.example.co.jp/groups'.split(
    ' ',
  )

export async function startTestProvider(options: TestProviderOptions): Promise<TestProvider> {
  const { path = '', hasPages = false, algorithm = 'RS256' } = options
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://localhost:${port}${path}`
  const accounts = new Map<string, TestClaims>()
  let key = await firstKey(algorithm)
  const made = { issuer, options, accounts, hasPages, who: () => test.next }
  let provider = makeProvider({ ...made, jwk: key.jwk })
  answerWith(server, path, (request, response) => {
    const limited = request.url === '/token' ? test.limit() : null
    if (limited === null) return void provider.callback()(request, response)
    const [status, retryAfter, body] = limited
    response.writeHead(status, retryAfter === null ? {} : { 'Retry-After': retryAfter }).end(body)
  })

  const test: TestProvider = {
    ...{
      issuer,
      clientId: 'portal',
      secret: options.secret ?? 'client-secret',
      accounts,
      next: '',
      limit: () => null,
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid: key.jwk.kid, ...header })
        .sign(key.privateKey),
    async rotateKeys() {
      key = await makeKey(algorithm)
      provider = makeProvider({ ...made, jwk: key.jwk })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return test
}

const firstKeys = new Map<string, ReturnType<typeof makeKey>>()

/** Providers of a process begin with one key, whose making costs more than most tests. */
function firstKey(alg: string): ReturnType<typeof makeKey> {
  const key = firstKeys.get(alg) ?? makeKey(alg)
  firstKeys.set(alg, key)
  return key
}

async function makeKey(alg: string) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = crypto.randomUUID()
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' } }
}

/** oidc-provider expects a mount path to be taken off, as Express does. */
function answerWith(
  server: Server,
  path: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('request', (request, response) => {
    const url = request.url ?? '/'
    if (!url.startsWith(path)) return void response.writeHead(404).end()
    Object.assign(request, { originalUrl: url, url: url.slice(path.length) || '/' })
    handle(request, response)
  })
}

function makeProvider(made: {
  readonly issuer: string
  readonly options: TestProviderOptions
  readonly accounts: ReadonlyMap<string, TestClaims>
  readonly hasPages: boolean
  readonly who: () => string
  readonly jwk: object
}): Provider {
  const { issuer, options, accounts, hasPages, who, jwk } = made
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'portal',
        ...(options.clientKey === undefined
          ? {
              ...(options.registeredAuth !== 'none' && { client_secret: options.secret ?? 'client-secret' }),
              token_endpoint_auth_method: options.registeredAuth ?? 'client_secret_post',
            }
          : { jwks: { keys: [options.clientKey] }, token_endpoint_auth_method: 'private_key_jwt' }),
        id_token_signed_response_alg: options.algorithm ?? 'RS256',
        redirect_uris: [...options.redirectUris],
        post_logout_redirect_uris: options.redirectUris.map((uri) => `${new URL(uri).origin}/`),
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [jwk] },
    scopes: ['openid', 'profile', 'email', 'offline_access', 'groups'],
    claims: options.keepsToUserinfo
      ? { openid: ['sub', 'sid'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] }
      : { openid: ['sub', 'sid', ...CLAIMS], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: options.keepsToUserinfo ?? false,
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    issueRefreshToken: async () => options.givesRefreshTokens ?? true,
    rotateRefreshToken: true,
    interactions: { url: (_context, interaction) => `${options.path ?? ''}/interaction/${interaction.uid}` },
    async findAccount(_context, id) {
      const claims = accounts.get(id)
      return claims === undefined
        ? undefined
        : { accountId: id, claims: async () => ({ sub: id, ...claims }) }
    },
    async loadExistingGrant(context) {
      const { client, session } = context.oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email offline_access groups')
      grant.addOIDCClaims(['sub', 'name', 'email', 'email_verified', ...CLAIMS])
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    const isOurs = context.path.startsWith('/interaction/')
    if (!isOurs) return next()
    const chosen = hasPages ? context.query.account : who()
    if (typeof chosen === 'string') {
      await provider.interactionFinished(context.req, context.res, {
        login: { accountId: chosen },
        consent: {},
      })
      context.respond = false
      return
    }
    const links = [...accounts].map(([id, { name }]) => `<p><a href="?account=${id}">${String(name)}</a></p>`)
    context.type = 'html'
    context.body = `<title>Sign in</title>${links.join('')}`
  })
  return provider
}
