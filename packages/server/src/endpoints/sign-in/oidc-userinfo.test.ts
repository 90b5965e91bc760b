import { afterEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { type OidcGate, type OidcGateChanges, openOidcGate } from '../../testing/test-oidc.ts'

const HANA = { name: '花子', email: 'hana@example.co.jp', email_verified: true, groups: ['sre'] }

let portal: OidcGate
afterEach(() => portal[Symbol.asyncDispose]())

async function open(changes: OidcGateChanges = {}) {
  portal = await openOidcGate('oidc', { keepsToUserinfo: true, ...changes })
  portal.op.accounts.set('hana', HANA)
}
const isUserinfo = ({ pathname }: URL) => pathname === '/me'
const answering = (answer: () => Response | Error) => ({
  intercept: (url: URL) => (isUserinfo(url) ? answer() : undefined),
})
const lastRefusal = async () =>
  (await portal.gate.records()).findLast(({ event }) => event === 'sign_in_refused')?.reason

/** Proves the one account again, as the maintenance does. */
async function prove() {
  portal.gate.state.nowMs += 280_000
  const [row] = (await portal.gate.sessions.listDue()).due
  return portal.provider.revalidate(row === undefined ? '' : (portal.gate.sessions.refreshTokenOf(row) ?? ''))
}

describe('an address that is told at the userinfo endpoint alone', () => {
  it('counts, with its groups, at sign-in and at each proof', async () => {
    await open()
    portal.gate.state.policy = readPolicy([], [], { sre: ['oidc:sre'] }).policy
    expect((await portal.signIn('hana')).problem).toBeNull()
    const identity = { email: HANA.email, name: HANA.name, vouched: { address: true, groups: ['oidc:sre'] } }
    expect(await prove()).toMatchObject({ kind: 'proven', identity })
  })

  it.each([
    ['no_email', { email: undefined }, 'no-email'],
    ['email_unverified', { email_verified: false }, 'unverified-email'],
    ['email_unverified', { email_verified: 'true' }, 'unverified-email'],
    ['address_not_admitted', { email: 'hana@evil.example' }, 'refused'],
  ] as const)('says %s for %j', async (reason, changes, problem) => {
    await open()
    portal.op.accounts.set('hana', { ...HANA, ...changes })
    expect((await portal.signIn('hana')).problem).toBe(problem)
    expect(await lastRefusal()).toBe(reason)
  })

  it.each<[string, () => Response | Error, 'rejected' | 'identity-unavailable']>([
    ['another sub', () => Response.json({ ...HANA, sub: 'boss' }), 'rejected'],
    ['no sub', () => Response.json(HANA), 'rejected'],
    ['a list', () => Response.json([HANA]), 'rejected'],
    ['a redirect', () => Response.redirect('https://evil.test/'), 'identity-unavailable'],
    ['a refusal', () => new Response('', { status: 401 }), 'rejected'],
    [
      'an encrypted token',
      () => new Response('a.b.c.d.e', { headers: { 'Content-Type': 'application/jwt' } }),
      'rejected',
    ],
    [
      'a page',
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
      'identity-unavailable',
    ],
    [
      'an endless answer',
      () => Response.json({ ...HANA, sub: 'hana', more: 'x'.repeat(300_000) }),
      'identity-unavailable',
    ],
    ['a fault', () => new Response('', { status: 503 }), 'identity-unavailable'],
    ['too many requests', () => new Response('', { status: 429 }), 'identity-unavailable'],
    ['no connection', () => new TypeError('down'), 'identity-unavailable'],
  ])('42 is not taken from %s', async (_row, answer, problem) => {
    await open(answering(answer))
    const { set, problem: told } = await portal.signIn('hana')
    expect([told, await portal.statusOf(set)]).toEqual([problem, 401])
  })

  it('is taken from an answer that the issuer signed for this client, and from no other', async () => {
    let answer = ''
    const type = { headers: { 'Content-Type': 'application/jwt; charset=utf-8' } }
    await open(answering(() => new Response(answer, type)))
    const claims = { ...HANA, sub: 'hana', iss: portal.op.issuer, aud: 'portal' }
    answer = await portal.op.sign({ ...claims, aud: 'other' })
    expect((await portal.signIn('hana')).problem).toBe('rejected')
    answer = await portal.op.sign(claims)
    expect((await portal.signIn('hana')).problem).toBeNull()
  })
})

describe('the endpoint', () => {
  it('is not asked by an ID token that says everything', async () => {
    let asked = 0
    const count = () => {
      asked += 1
      return new Error('asked')
    }
    await open({ keepsToUserinfo: false, ...answering(count) })
    expect((await portal.signIn('hana')).problem).toBeNull()
    expect(asked).toBe(0)
  })

  it('48 says nothing of an address that the ID token does not have', async () => {
    const told = { ...HANA, sub: 'hana', email: 'boss@example.co.jp' }
    await open({ keepsToUserinfo: false, ...answering(() => Response.json(told)) })
    portal.op.accounts.set('hana', { ...HANA, email_verified: undefined })
    expect((await portal.signIn('hana')).problem).toBe('unverified-email')
  })
})

describe('the client shows who it is', () => {
  it.each([
    ['client_secret_basic', 'client_secret_basic', 'client-secret'],
    ['client_secret_basic', undefined, 's+ecret%20 of: ~&=!'],
    ['client_secret_post', undefined, 'client-secret'],
    ['client_secret_post', 'client_secret_post', 'client-secret'],
    ['none', 'none', 'client-secret'],
  ] as const)('by %s, set as %s', async (registeredAuth, tokenAuth, secret) => {
    await open({ registeredAuth, secret, ...(tokenAuth !== undefined && { tokenAuth }) })
    expect((await portal.signIn('hana')).problem).toBeNull()
    expect(await prove()).toMatchObject({ kind: 'proven' })
  })
})
