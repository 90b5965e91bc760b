import { readSignInProblem } from '@sekisho/contract/sign-in-problem'
import { createSeal } from '@sekisho/state/sessions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cookieHeaderOf, createTestGate, ORIGIN, type TestGate } from '../../testing/test-gate.ts'
import { startTestProvider, type TestProvider } from '../../testing/test-provider.ts'
import { createClientAuth } from './client.ts'
import { createOidcProvider } from './provider.ts'
import type { OidcSettings } from './settings.ts'
import { VENDORS } from './vendors.ts'

const TENANT = '6f1c2b34-0000-4000-8000-00000000abcd'
const HANA = { name: '花子', email: 'hana@example.co.jp', email_verified: true }
const OURS = { 'Content-Type': 'application/json', Origin: ORIGIN.origin }

let cleanup: AsyncDisposableStack
let op: TestProvider
let gate: TestGate
let settings: OidcSettings
let nowMs: () => number

beforeEach(() => {
  cleanup = new AsyncDisposableStack()
})
afterEach(() => cleanup.disposeAsync())

/** A gate whose only provider is shaped like a vendor's. */
async function open(
  vendor: keyof typeof VENDORS,
  changes: { readonly domains?: string[]; readonly gives?: boolean } = {},
) {
  op = cleanup.use(
    await startTestProvider({
      path: vendor === 'entra' ? `/${TENANT}/v2.0` : '',
      redirectUris: [`${ORIGIN.origin}/__gate/sign-in/${vendor}/callback`],
      givesRefreshTokens: changes.gives ?? true,
    }),
  )
  settings = {
    ...{ name: vendor, label: 'Test', vendor: VENDORS[vendor], issuer: op.issuer, clientId: op.clientId },
    credential: { secret: op.secret },
    ...{
      scopes: 'openid profile email',
      groupsClaim: 'groups',
      domains: changes.domains ?? [],
      isFirst: true,
    },
  }
  let aheadMs = 0
  nowMs = () => Date.now() + aheadMs
  const provider = createOidcProvider({
    ...{ settings, origin: ORIGIN, seal: createSeal('s'.repeat(32)), now: nowMs },
    login: { id: vendor, kind: 'redirect', label: 'Test', settings: {} },
    auth: await createClientAuth(settings.credential),
  })
  gate = cleanup.use(await createTestGate({ providers: [provider] }))
  gate.state.nowMs = Date.now()
  return {
    provider,
    advance: (ms: number) => {
      aheadMs += ms
    },
  }
}

/** Follows redirects at the provider until one leads back to the portal. */
async function visitProvider(location: string): Promise<URL> {
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

async function begin(returnTo = '/docs/guide?x=1#見出し', prompt = 'any') {
  const path = `/__gate/sign-in/${settings.name}`
  const response = await gate.ask(path, {
    method: 'POST',
    headers: OURS,
    body: JSON.stringify({ returnTo, prompt }),
  })
  if (response.status !== 200) return { response, location: '', cookie: '' }
  const { location } = (await response.json()) as { location: string }
  return { response, location, cookie: cookieHeaderOf(response) }
}

async function signIn(account: string, returnTo?: string) {
  op.next = account
  const { location, cookie } = await begin(returnTo)
  const back = await visitProvider(location)
  const response = await gate.ask(back.pathname + back.search, { headers: { Cookie: cookie } })
  const set = cookieHeaderOf(response)
  return { response, back, cookie, set, problem: readSignInProblem(set, true)?.code ?? null }
}

const sessionOf = async (set: string) => {
  const cookie = set.split('; ').find((pair) => pair.startsWith('__Host-sekisho=')) ?? ''
  return { cookie, status: await gate.statusFor(cookie) }
}

describe('signing in at an OpenID provider', () => {
  it('brings the reader to the very address, with its heading', async () => {
    await open('oidc')
    op.accounts.set('hana', HANA)
    const { response, set } = await signIn('hana')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(
      `${ORIGIN.origin}/docs/guide?x=1#%E8%A6%8B%E5%87%BA%E3%81%97`,
    )
    expect((await sessionOf(set)).status).toBe(200)
    expect(await gate.records()).toContainEqual(expect.objectContaining({ event: 'signed_in', sub: 'hana' }))
  })

  it('asks with code, PKCE, state and nonce, and for an account again after a refusal', async () => {
    await open('oidc')
    const asked = new URL((await begin('/', 'choose')).location).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' })
    expect(asked.get('prompt')).toBe('select_account')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toHaveLength(43)
    expect(new URL((await begin('/', 'silent')).location).searchParams.get('prompt')).toBe('none')
  })

  it('names an account that is not admitted, and opens nothing for it', async () => {
    await open('oidc')
    op.accounts.set('eve', { ...HANA, email: 'eve@evil.example' })
    const { response, set, problem } = await signIn('eve')
    expect([response.status, problem]).toEqual([303, 'refused'])
    expect(readSignInProblem(set, true)?.email).toBe('eve@evil.example')
    expect((await sessionOf(set)).status).toBe(401)
  })

  it.each([
    ['//evil.test/'],
    ['https://evil.test/'],
    ['/\\evil.test'],
    ['/\t/evil.test'],
    ['javascript:alert(1)'],
    ['docs/guide'],
    [`/${'x'.repeat(2_000)}`],
  ])('57 never sends a browser elsewhere: %j', async (returnTo) => {
    await open('oidc')
    expect((await begin(returnTo)).response.status).toBe(400)
  })

  it('52 begins for our own pages only', async () => {
    await open('oidc')
    const body = JSON.stringify({ returnTo: '/', prompt: 'any' })
    for (const Origin of ['https://evil.test', 'null', ''])
      expect(
        (await gate.ask('/__gate/sign-in/oidc', { method: 'POST', headers: { ...OURS, Origin }, body }))
          .status,
      ).toBe(403)
  })
})

describe('what comes back', () => {
  it('52 counts in the browser that began, and once', async () => {
    await open('oidc')
    op.accounts.set('hana', HANA)
    const { back, cookie, set } = await signIn('hana')
    const again = async (Cookie: string) => {
      const response = await gate.ask(back.pathname + back.search, { headers: { Cookie } })
      return [
        readSignInProblem(cookieHeaderOf(response), true)?.code,
        (await sessionOf(cookieHeaderOf(response))).status,
      ]
    }
    expect((await sessionOf(set)).status).toBe(200)
    expect(await again('')).toEqual(['expired', 401]) // another browser
    const other = await begin()
    expect(await again(other.cookie)).toEqual(['expired', 401]) // another sign-in of this one
    expect(await again(cookie)).toEqual(['rejected', 401]) // the same once more
  })

  it('is too late after ten minutes', async () => {
    const { advance } = await open('oidc')
    op.accounts.set('hana', HANA)
    op.next = 'hana'
    const { location, cookie } = await begin()
    const back = await visitProvider(location)
    advance(600_000)
    const response = await gate.ask(back.pathname + back.search, { headers: { Cookie: cookie } })
    expect(readSignInProblem(cookieHeaderOf(response), true)?.code).toBe('expired')
  })

  it('42 must name the issuer that was asked (mix-up, RFC 9207)', async () => {
    await open('oidc')
    op.accounts.set('hana', HANA)
    op.next = 'hana'
    const { location, cookie } = await begin()
    const back = await visitProvider(location)
    back.searchParams.set('iss', 'https://evil.test')
    const response = await gate.ask(back.pathname + back.search, { headers: { Cookie: cookie } })
    expect(readSignInProblem(cookieHeaderOf(response), true)?.code).toBe('rejected')
  })

  it('says why the provider opened nothing', async () => {
    await open('oidc')
    const told = async (error: string, prompt = 'any') => {
      const { location, cookie } = await begin('/', prompt)
      const state = new URL(location).searchParams.get('state') ?? ''
      const query = new URLSearchParams({ error, state, iss: op.issuer })
      const response = await gate.ask(`/__gate/sign-in/oidc/callback?${query}`, {
        headers: { Cookie: cookie },
      })
      return readSignInProblem(cookieHeaderOf(response), true)?.code
    }
    expect(await told('access_denied')).toBe('cancelled')
    expect(await told('login_required', 'silent')).toBe('silent')
    expect(await told('login_required')).toBe('rejected')
    expect(await told('temporarily_unavailable')).toBe('identity-unavailable')
  })
})

describe('an account', () => {
  it('48 is issuer and subject: an address that moved to another account opens nothing', async () => {
    await open('oidc')
    op.accounts.set('hana', HANA)
    op.accounts.set('other', HANA)
    expect((await signIn('hana')).problem).toBeNull()
    expect((await signIn('other')).problem).toBe('refused')
  })

  it('of Entra is tenant and object, and of one tenant', async () => {
    await open('entra')
    const claims = {
      ...HANA,
      email_verified: undefined,
      tid: TENANT,
      oid: 'AA-1',
      groups: ['g1'],
      roles: ['docs.sre'],
    }
    op.accounts.set('pairwise', claims)
    op.accounts.set('foreign', { ...claims, tid: '00000000-0000-4000-8000-000000000001' })
    op.accounts.set('without', { ...claims, oid: undefined })
    expect((await signIn('pairwise')).problem).toBeNull()
    expect(await gate.records()).toContainEqual(
      expect.objectContaining({ event: 'signed_in', sub: `${TENANT}:aa-1` }),
    )
    expect((await signIn('foreign')).problem).toBe('tenant')
    expect((await signIn('without')).problem).toBe('tenant')
  })

  it.each([
    ['45 an address nobody verified', 'oidc', { email_verified: false }, [], 'refused'],
    ['45 an address the provider says nothing of', 'oidc', { email_verified: undefined }, [], 'refused'],
    ['45 a text in place of true', 'oidc', { email_verified: 'true' }, [], 'refused'],
    [
      'an address of a domain the provider speaks for',
      'oidc',
      { email_verified: undefined },
      ['example.co.jp'],
      null,
    ],
    ['nOAuth: an address of a domain it does not speak for', 'oidc', {}, ['partner.example'], 'refused'],
    ['48 a consumer account with a company’s address', 'google', {}, [], 'refused'],
    ['an account that its company manages', 'google', { hd: 'example.co.jp' }, ['example.co.jp'], null],
    ['an account of another company', 'google', { hd: 'evil.example' }, ['example.co.jp'], 'tenant'],
    ['an unmanaged account', 'google', {}, ['example.co.jp'], 'tenant'],
    [
      'nOAuth: a domain that the tenant did not verify',
      'entra',
      { tid: TENANT, oid: 'a', xms_edov: false },
      [],
      'refused',
    ],
  ] as const)('%s', async (_row, vendor, changes, domains, problem) => {
    await open(vendor, { domains: [...domains] })
    op.accounts.set('hana', { ...HANA, ...changes })
    expect((await signIn('hana')).problem).toBe(problem)
  })
})
