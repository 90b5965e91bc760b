import { readSignInProblem } from '@sekisho/contract/sign-in-problem'
import { afterEach, describe, expect, it } from 'vitest'
import type { VENDORS } from '../../identity/testing/index.ts'
import { cookieHeaderOf, ORIGIN } from '../../testing/test-gate.ts'
import { type OidcGate, openOidcGate, TENANT, visitProvider } from '../../testing/test-oidc.ts'

const HANA = { name: '花子', email: 'hana@example.co.jp', email_verified: true }
const OURS = { 'Content-Type': 'application/json', Origin: ORIGIN.origin }

let portal: OidcGate
afterEach(() => portal[Symbol.asyncDispose]())

async function open(vendor: keyof typeof VENDORS, changes: { readonly domains?: readonly string[] } = {}) {
  portal = await openOidcGate(vendor, changes)
}

describe('signing in at an OpenID provider', () => {
  it('brings the reader to the very address, with its heading', async () => {
    await open('oidc')
    portal.op.accounts.set('hana', HANA)
    const { response, set } = await portal.signIn('hana')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(
      `${ORIGIN.origin}/docs/guide?x=1#%E8%A6%8B%E5%87%BA%E3%81%97`,
    )
    expect(await portal.statusOf(set)).toBe(200)
    expect(await portal.gate.records()).toContainEqual(
      expect.objectContaining({ event: 'signed_in', sub: 'hana' }),
    )
  })

  it('asks with code, PKCE, state and nonce, and for an account again after a refusal', async () => {
    await open('oidc')
    const asked = new URL((await portal.begin('/', 'choose')).location).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' })
    expect(asked.get('prompt')).toBe('select_account')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toHaveLength(43)
    expect(new URL((await portal.begin('/', 'silent')).location).searchParams.get('prompt')).toBe('none')
  })

  it('keeps what it has to know again in a cookie of this host that scripts cannot read', async () => {
    await open('oidc')
    const { response } = await portal.begin()
    expect(response.headers.getSetCookie().join()).toMatch(
      /^__Host-sekisho-sign-in-[\w-]{8}=[\w-]+; Path=\/; Max-Age=600; SameSite=Lax; Secure; HttpOnly$/,
    )
  })

  it('names an account that is not admitted, and opens nothing for it', async () => {
    await open('oidc')
    portal.op.accounts.set('eve', { ...HANA, email: 'eve@evil.example' })
    const { response, set, problem } = await portal.signIn('eve')
    expect([response.status, problem]).toEqual([303, 'refused'])
    expect(readSignInProblem(set, true)?.email).toBe('eve@evil.example')
    expect(await portal.statusOf(set)).toBe(401)
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
    expect((await portal.begin(returnTo)).response.status).toBe(400)
  })

  it('52 begins for our own pages only', async () => {
    await open('oidc')
    const body = JSON.stringify({ returnTo: '/', prompt: 'any' })
    for (const Origin of ['https://evil.test', 'null', ''])
      expect(
        (
          await portal.gate.ask('/__gate/sign-in/oidc', {
            method: 'POST',
            headers: { ...OURS, Origin },
            body,
          })
        ).status,
      ).toBe(403)
  })
})

describe('what comes back', () => {
  it('52 counts in the browser that began, and once', async () => {
    await open('oidc')
    portal.op.accounts.set('hana', HANA)
    const { back, cookie, set } = await portal.signIn('hana')
    const again = async (Cookie: string) => {
      const response = await portal.gate.ask(back.pathname + back.search, { headers: { Cookie } })
      return [
        readSignInProblem(cookieHeaderOf(response), true)?.code,
        await portal.statusOf(cookieHeaderOf(response)),
      ]
    }
    expect(await portal.statusOf(set)).toBe(200)
    expect(await again('')).toEqual(['expired', 401]) // another browser
    const other = await portal.begin()
    expect(await again(other.cookie)).toEqual(['expired', 401]) // another sign-in of this one
    expect(await again(cookie)).toEqual(['expired', 401]) // the same once more
  })

  it('52 counts once for all gates that share a store', async () => {
    const spent = new Set<string>()
    const spend = async (digest: string) => !spent.has(digest) && spent.add(digest) !== null
    const asked: string[] = []
    const intercept = (url: URL) => void asked.push(url.pathname)
    const gate = { publishers: { spend } }
    portal = await openOidcGate('oidc', { gate })
    await using other = await openOidcGate('oidc', { gate, intercept })
    portal.op.accounts.set('hana', HANA)
    const { back, cookie } = await portal.signIn('hana')
    for (const code of ['one', 'two']) {
      const path = `${back.pathname}?${new URLSearchParams({ code, state: back.searchParams.get('state') ?? '' })}`
      const response = await other.gate.ask(path, { headers: { Cookie: cookie } })
      expect(readSignInProblem(cookieHeaderOf(response), true)?.code).toBe('expired')
    }
    expect(asked).not.toContain('/token')
  })

  it('leads to the page once more when the reader goes back in the browser, without a request to the provider', async () => {
    await open('oidc')
    portal.op.accounts.set('hana', HANA)
    portal.op.next = 'hana'
    const { location, cookie } = await portal.begin('/docs/secret?a=b')
    const back = await visitProvider(location)
    const visit = (Cookie: string, query = back.search) =>
      portal.gate.ask(back.pathname + query, { headers: { Cookie } })
    const first = await visit(cookie)
    const repeated = await visit(cookieHeaderOf(first))
    // As far back as the provider's own form, which is sent again, or says that it is over.
    const state = `?state=${back.searchParams.get('state')}&iss=${encodeURIComponent(portal.op.issuer)}`
    const kept = cookieHeaderOf(repeated)
    const fromForm = ['&code=another', '&error=access_denied', '&error=temporarily_unavailable'].map((rest) =>
      visit(kept, state + rest),
    )
    for (const response of [first, repeated, await visit(kept), ...(await Promise.all(fromForm))]) {
      expect([response.status, response.headers.get('location')]).toEqual([
        303,
        `${ORIGIN.origin}/docs/secret?a=b`,
      ])
      expect(readSignInProblem(cookieHeaderOf(response), true)).toBeNull()
    }
    expect(await portal.statusOf(cookieHeaderOf(repeated))).toBe(401) // no second session comes of it
  })

  it('is too late after ten minutes', async () => {
    await open('oidc')
    portal.op.accounts.set('hana', HANA)
    portal.op.next = 'hana'
    const { location, cookie } = await portal.begin()
    const back = await visitProvider(location)
    portal.advance(600_000)
    const response = await portal.gate.ask(back.pathname + back.search, { headers: { Cookie: cookie } })
    expect(readSignInProblem(cookieHeaderOf(response), true)?.code).toBe('expired')
  })

  it('42 must name the issuer that was asked (mix-up, RFC 9207)', async () => {
    await open('oidc')
    portal.op.accounts.set('hana', HANA)
    portal.op.next = 'hana'
    const { location, cookie } = await portal.begin()
    const back = await visitProvider(location)
    back.searchParams.set('iss', 'https://evil.test')
    const response = await portal.gate.ask(back.pathname + back.search, { headers: { Cookie: cookie } })
    expect(readSignInProblem(cookieHeaderOf(response), true)?.code).toBe('rejected')
  })

  it('says why the provider opened nothing', async () => {
    await open('oidc')
    const told = async (error: string, prompt = 'any') => {
      const { location, cookie } = await portal.begin('/', prompt)
      const state = new URL(location).searchParams.get('state') ?? ''
      const query = new URLSearchParams({ error, state, iss: portal.op.issuer })
      const response = await portal.gate.ask(`/__gate/sign-in/oidc/callback?${query}`, {
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
    portal.op.accounts.set('hana', HANA)
    portal.op.accounts.set('other', HANA)
    expect((await portal.signIn('hana')).problem).toBeNull()
    expect((await portal.signIn('other')).problem).toBe('refused')
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
    portal.op.accounts.set('pairwise', claims)
    portal.op.accounts.set('foreign', { ...claims, tid: '00000000-0000-4000-8000-000000000001' })
    portal.op.accounts.set('without', { ...claims, oid: undefined })
    expect((await portal.signIn('pairwise')).problem).toBeNull()
    expect(await portal.gate.records()).toContainEqual(
      expect.objectContaining({ event: 'signed_in', sub: `${TENANT}:aa-1` }),
    )
    expect((await portal.signIn('foreign')).problem).toBe('tenant')
    expect((await portal.signIn('without')).problem).toBe('tenant')
  })

  it.each([
    ['45 an address nobody verified', 'oidc', { email_verified: false }, [], 'unverified-email'],
    [
      '45 an address the provider says nothing of',
      'oidc',
      { email_verified: undefined },
      [],
      'unverified-email',
    ],
    ['45 a text in place of true', 'oidc', { email_verified: 'true' }, [], 'unverified-email'],
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
      'unverified-email',
    ],
  ] as const)('%s', async (_row, vendor, changes, domains, problem) => {
    await open(vendor, { domains: [...domains] })
    portal.op.accounts.set('hana', { ...HANA, ...changes })
    expect((await portal.signIn('hana')).problem).toBe(problem)
  })
})
