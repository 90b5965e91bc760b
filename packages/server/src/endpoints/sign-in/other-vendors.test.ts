import { decodeJwt, exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import type { VENDORS } from '../../identity/testing/index.ts'
import { ORIGIN, readObject } from '../../testing/test-gate.ts'
import { type OidcGate, type OidcGateChanges, openOidcGate } from '../../testing/test-oidc.ts'

const HANA = { name: '花子', email: 'hana@example.co.jp', email_verified: true }

let portal: OidcGate
afterEach(() => portal[Symbol.asyncDispose]())

async function open(vendor: keyof typeof VENDORS, changes: OidcGateChanges = {}) {
  portal = await openOidcGate(vendor, changes)
}
const cookieOf = (set: string) => set.split('; ').find((pair) => pair.startsWith('__Host-sekisho=')) ?? ''
const groupsSaid = async () =>
  (await portal.gate.records()).find(({ event }) => event === 'signed_in')?.groups

describe('a provider that behaves as', () => {
  it('Keycloak does: full paths of groups, a session id, ES256, refresh tokens unasked', async () => {
    await open('keycloak', { path: '/realms/main', algorithm: 'ES256' })
    portal.gate.state.policy = readPolicy([], [], { sre: ['keycloak:/部門/SRE'] }).policy
    portal.op.accounts.set('hana', { ...HANA, groups: ['/部門/SRE', '/全員'] })
    const { set } = await portal.signIn('hana')
    expect(await portal.statusOf(set)).toBe(200)
    expect(await groupsSaid()).toEqual(['keycloak:/部門/SRE', 'keycloak:/全員'])
    expect(new URL((await portal.begin()).location).searchParams.get('scope')).toBe('openid profile email')
  })

  it('HENNGE One does: an issuer of its own for each company, no groups, an address only where its domain is named', async () => {
    const company = { path: '/example', gives: false }
    await open('oidc', { ...company, domains: ['example.co.jp'] })
    portal.op.accounts.set('hana', { name: '花子', email: 'hana@example.co.jp' }) // nothing is said of email_verified
    expect(await portal.statusOf((await portal.signIn('hana')).set)).toBe(200)
    await portal[Symbol.asyncDispose]()
    await open('oidc', company)
    portal.op.accounts.set('hana', { name: '花子', email: 'hana@example.co.jp' })
    expect((await portal.signIn('hana')).problem).toBe('unverified-email')
  })

  it('Auth0 does: groups by a claim with a namespace', async () => {
    await open('oidc', { groupsClaim: 'https://docs.example.co.jp/groups' })
    portal.gate.state.policy = readPolicy([], [], { sre: ['oidc:sre'] }).policy
    portal.op.accounts.set('auth0|1', { ...HANA, 'https://docs.example.co.jp/groups': ['sre'] })
    expect(await portal.statusOf((await portal.signIn('auth0|1')).set)).toBe(200)
  })
})

describe('a gate with a private key in place of a secret', () => {
  it.each(['RS256', 'ES256'])('shows who it is with %s, when it signs in and when it proves', async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), alg, use: 'sig', kid: 'portal' }
    await open('oidc', { client: { privateKey: await exportPKCS8(privateKey), publicKey: jwk } })
    portal.op.accounts.set('hana', HANA)
    expect(await portal.statusOf((await portal.signIn('hana')).set)).toBe(200)
  })

  it('is invalid with another key', async () => {
    const [own, other] = [
      await generateKeyPair('ES256', { extractable: true }),
      await generateKeyPair('ES256'),
    ]
    const jwk = { ...(await exportJWK(other.publicKey)), alg: 'ES256', use: 'sig' }
    await open('oidc', { client: { privateKey: await exportPKCS8(own.privateKey), publicKey: jwk } })
    portal.op.accounts.set('hana', HANA)
    expect((await portal.signIn('hana')).problem).toBe('unavailable') // our setting, not the reader's account
  })
})

describe('signing out at the provider', () => {
  const OURS = { Origin: ORIGIN.origin }
  async function signOut(set: string) {
    const response = await portal.gate.ask('/__gate/session', {
      method: 'DELETE',
      headers: { ...OURS, Cookie: cookieOf(set) },
    })
    const location = response.headers.get('location')
    return { status: response.status, url: location === null ? null : new URL(location) }
  }

  it('sends the browser to where its session ends, with a word of whose it is, and back to the portal', async () => {
    await open('keycloak', { path: '/realms/main' })
    portal.op.accounts.set('hana', HANA)
    const { set } = await portal.signIn('hana')
    const { status, url } = await signOut(set)
    expect([status, await portal.statusOf(set)]).toEqual([204, 401])
    expect(url?.href.startsWith(portal.op.issuer)).toBe(true)
    expect(url?.searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN.origin}/`)
    expect(decodeJwt(url?.searchParams.get('id_token_hint') ?? '')).toMatchObject({
      sub: 'hana',
      aud: 'portal',
    })
    const page = await fetch(url ?? '')
    expect([page.status, (await page.text()).includes('error')]).toEqual([200, false])
  })

  it('is done here while the provider is away, and where it asks for a word that is not to be had', async () => {
    await open('okta', { gives: false })
    portal.op.accounts.set('hana', HANA)
    const { set } = await portal.signIn('hana')
    expect(await signOut(set)).toEqual({ status: 204, url: null })
    await portal[Symbol.asyncDispose]()
    await open('okta')
    portal.op.accounts.set('hana', HANA)
    const second = await portal.signIn('hana')
    portal.stopAnswering()
    expect(await signOut(second.set)).toEqual({ status: 204, url: null })
    expect(await portal.statusOf(second.set)).toBe(401)
  })

  it('goes by the page of the account, which leads nowhere else', async () => {
    await open('oidc')
    portal.op.accounts.set('hana', HANA)
    const { set } = await portal.signIn('hana')
    const body = new URLSearchParams({ action: 'sign-out' }).toString()
    const form = { ...OURS, Cookie: cookieOf(set), 'Content-Type': 'application/x-www-form-urlencoded' }
    const response = await portal.gate.ask('/__gate/account', { method: 'POST', headers: form, body })
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
    expect(response.headers.get('refresh')).toMatch(new RegExp(`^0; url=${portal.op.issuer}/`))
    const told = await portal.gate.ask('/__gate/session', { headers: { Cookie: cookieOf(set) } })
    expect([told.status, (await readObject(told)).code]).toEqual([401, 'signed_out'])
  })
})
