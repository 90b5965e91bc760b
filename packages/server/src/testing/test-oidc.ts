import { readSignInProblem, type SignInProblem } from '@sekisho/contract/sign-in-problem'
import type { GateResponse } from '@sekisho/wire'
import type { JWK } from 'jose'
import type { IdentityProvider } from '../identity/provider.ts'
import {
  createClientAuth,
  createOidcProvider,
  type OidcSettings,
  startTestProvider,
  type TestProvider,
  type TokenAuth,
  VENDORS,
} from '../identity/testing/index.ts'
import { createSeal } from '../state/sessions/index.ts'
import { cookieHeaderOf, createTestGate, ORIGIN, type TestGate, type TestGateChanges } from './test-gate.ts'

export const TENANT = '6f1c2b34-0000-4000-8000-00000000abcd'
const OURS = { 'Content-Type': 'application/json', Origin: ORIGIN.origin }

/** Result of a sign-in. */
export interface SignedIn {
  readonly response: GateResponse
  /** Address to which the provider sent the browser. */
  readonly back: URL
  /** Cookie kept for the gate meanwhile. */
  readonly cookie: string
  /** Cookies set by the response. */
  readonly set: string
  readonly problem: SignInProblem['code'] | null
}

/** A gate whose only provider is shaped like a vendor's, and a browser that visits it. */
export interface OidcGate extends AsyncDisposable {
  readonly op: TestProvider
  readonly gate: TestGate
  readonly provider: IdentityProvider
  /** The provider's part of the gate goes by this clock. */
  nowMs(): number
  advance(ms: number): void
  /** The provider is not reached until the end of it. */
  stopAnswering(): { end(): void }
  begin(
    returnTo?: string,
    prompt?: string,
  ): Promise<{ response: GateResponse; location: string; cookie: string }>
  signIn(account: string): Promise<SignedIn>
  /** Status of a page for these cookies. */
  statusOf(set: string): Promise<number>
}

/** Deviations of a provider's behaviour or setup. */
export interface OidcGateChanges {
  readonly domains?: readonly string[]
  readonly gives?: boolean
  /** Of the issuer, below the host. */
  readonly path?: string
  readonly algorithm?: 'RS256' | 'ES256'
  /** Keys by which the gate shows who it is, in place of a secret: the private one in PEM. */
  readonly client?: { readonly privateKey: string; readonly publicKey: JWK }
  readonly groupsClaim?: string
  /** Registered client authentication; `client_secret_post` by default. */
  readonly registeredAuth?: TokenAuth
  /** Configured client authentication; detected by default. */
  readonly tokenAuth?: TokenAuth
  readonly secret?: string
  /** Address and groups are told at the userinfo endpoint alone, as `oidc-provider` does unless told otherwise. */
  readonly keepsToUserinfo?: boolean
  readonly gate?: TestGateChanges
  /** Answers in place of the provider; undefined for what it answers itself. */
  readonly intercept?: (url: URL) => Response | Error | undefined
}

function credentialOf({ client, tokenAuth }: OidcGateChanges, secret: string): OidcSettings['credential'] {
  if (client !== undefined) return { privateKey: client.privateKey }
  return tokenAuth === 'none' ? { isPublic: true } : { secret }
}

export async function openOidcGate(
  vendor: keyof typeof VENDORS,
  changes: OidcGateChanges = {},
): Promise<OidcGate> {
  const { domains = [], gives = true, path = vendor === 'entra' ? `/${TENANT}/v2.0` : '' } = changes
  await using cleanup = new AsyncDisposableStack()
  const op = cleanup.use(
    await startTestProvider({
      path,
      redirectUris: [`${ORIGIN.origin}/__gate/sign-in/${vendor}/callback`],
      givesRefreshTokens: gives,
      ...(changes.registeredAuth !== undefined && { registeredAuth: changes.registeredAuth }),
      ...(changes.secret !== undefined && { secret: changes.secret }),
      ...(changes.keepsToUserinfo !== undefined && { keepsToUserinfo: changes.keepsToUserinfo }),
      ...(changes.algorithm !== undefined && { algorithm: changes.algorithm }),
      ...(changes.client !== undefined && { clientKey: changes.client.publicKey }),
    }),
  )
  let aheadMs = 0
  let isDown = false
  const nowMs = () => Date.now() + aheadMs
  const settings = {
    ...{ name: vendor, label: 'Test', vendor: VENDORS[vendor], issuer: op.issuer, clientId: op.clientId },
    credential: credentialOf(changes, op.secret),
    tokenAuth: changes.tokenAuth ?? null,
    asksForGroups: true,
    ...{
      scopes: `openid profile email${changes.keepsToUserinfo === true ? ' groups' : ''}`,
      groupsClaim: changes.groupsClaim ?? 'groups',
      domains,
      isFirst: true,
    },
  }
  const provider = createOidcProvider({
    ...{ settings, origin: ORIGIN, seal: createSeal('s'.repeat(32)), now: nowMs },
    login: { id: vendor, kind: 'redirect', label: 'Test', settings: {} },
    auth: await createClientAuth(settings),
    async fetch(...args) {
      if (isDown) throw new TypeError('down')
      const [input] = args
      const answer = changes.intercept?.(new URL(input instanceof Request ? input.url : input))
      if (answer instanceof Error) throw answer
      return answer ?? fetch(...args)
    },
  })
  const gate = cleanup.use(await createTestGate({ providers: [provider], ...changes.gate }))
  gate.state.nowMs = Date.now()

  async function begin(returnTo = '/docs/guide?x=1#見出し', prompt = 'any') {
    const body = JSON.stringify({ returnTo, prompt })
    const response = await gate.ask(`/__gate/sign-in/${vendor}`, { method: 'POST', headers: OURS, body })
    if (response.status !== 200) return { response, location: '', cookie: '' }
    const value: unknown = await response.json()
    const location =
      typeof value === 'object' && value !== null && 'location' in value ? String(value.location) : ''
    return { response, location, cookie: cookieHeaderOf(response) }
  }
  const resources = cleanup.move()
  return {
    ...{ op, gate, provider, nowMs, begin },
    advance(ms) {
      aheadMs += ms
    },
    stopAnswering() {
      isDown = true
      return {
        end() {
          isDown = false
        },
      }
    },
    async signIn(account) {
      op.next = account
      const { location, cookie } = await begin()
      const back = await visitProvider(location)
      const response = await gate.ask(back.pathname + back.search, { headers: { Cookie: cookie } })
      const set = cookieHeaderOf(response)
      return { response, back, cookie, set, problem: readSignInProblem(set, true)?.code ?? null }
    },
    statusOf: (set) =>
      gate.statusFor(set.split('; ').find((pair) => pair.startsWith('__Host-sekisho=')) ?? ''),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Follows redirects at the provider until one leads back to the portal. */
export async function visitProvider(location: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(location)
  while (url.origin !== ORIGIN.origin) {
    const headers = { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') }
    const response = await fetch(url, { redirect: 'manual', headers })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', ...value] = (line.split(';')[0] ?? '').split('=')
      jar.set(name, value.join('='))
    }
    const to = response.headers.get('location')
    if (to === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    url = new URL(to, url)
  }
  return url
}
