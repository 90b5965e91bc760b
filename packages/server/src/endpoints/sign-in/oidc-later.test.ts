import { generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { createRevalidation } from '../../identity/revalidation.ts'
import type { VENDORS } from '../../identity/testing/index.ts'
import { ORIGIN } from '../../testing/test-gate.ts'
import { type OidcGate, openOidcGate, TENANT } from '../../testing/test-oidc.ts'

const HANA = { name: '花子', email: 'hana@example.co.jp', email_verified: true }
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

let portal: OidcGate
const open = async (vendor: keyof typeof VENDORS = 'oidc', gives = true) => {
  portal = await openOidcGate(vendor, { gives })
  portal.op.accounts.set('hana', HANA)
}
beforeEach(() => open())
afterEach(() => portal[Symbol.asyncDispose]())

/** Proves every account again, as the maintenance does, and says what came of it. */
async function prove(): Promise<string> {
  const [row] = (await portal.gate.sessions.listDue()).due
  const token = row === undefined ? null : portal.gate.sessions.refreshTokenOf(row)
  if (row === undefined || token === null) return 'nothing due'
  const answer = await portal.provider.revalidate(token)
  if (answer.kind !== 'proven')
    return `${answer.kind} ${answer.kind === 'gone' ? answer.about : answer.reason}`
  if (answer.refreshToken !== null) portal.gate.sessions.markProven(row, answer.refreshToken, answer.identity)
  const { groups, hasAllGroups } = answer.identity.vouched
  return `${groups.join(' ')}${hasAllGroups ? '' : ' and more'}`
}

async function signedIn(account = 'hana'): Promise<string> {
  const { set } = await portal.signIn(account)
  portal.gate.state.nowMs += 280_000
  return set.split('; ').find((pair) => pair.startsWith('__Host-sekisho=')) ?? ''
}

describe('the proof of an account', () => {
  it('49 ends with an account that is gone, and with one of its tokens that was used before', async () => {
    await signedIn()
    expect(await prove()).toBe('')
    portal.op.accounts.delete('hana')
    portal.gate.state.nowMs += 280_000
    expect(await prove()).toBe('gone token')
  })

  it('49 ends with an account that another tenant speaks of', async () => {
    await portal[Symbol.asyncDispose]()
    await open('entra')
    const claims = { ...HANA, email_verified: undefined, tid: TENANT, oid: 'a', groups: [] }
    portal.op.accounts.set('hana', claims)
    await signedIn()
    expect(await prove()).toBe('')
    portal.op.accounts.set('hana', { ...claims, tid: TENANT.replace('abcd', 'abce') })
    portal.gate.state.nowMs += 280_000
    expect(await prove()).toBe('gone account')
  })

  it('brings the groups of now', async () => {
    portal.op.accounts.set('hana', { ...HANA, groups: ['a', 'b', 'role:x'] })
    await signedIn()
    expect(await prove()).toBe('oidc:a oidc:b')
    portal.op.accounts.set('hana', { ...HANA, groups: ['b'], roles: ['docs.sre'] })
    portal.gate.state.nowMs += 280_000
    expect(await prove()).toBe('oidc:b oidc:role:docs.sre role:docs.sre')
  })

  it('shows the reader the groups of the policy', async () => {
    portal.gate.state.policy = readPolicy([], [], { sre: ['oidc:a'], ops: ['oidc:b'] }).policy
    portal.op.accounts.set('hana', { ...HANA, groups: ['a'] })
    const page = await portal.gate.ask('/__gate/account', { headers: { Cookie: await signedIn() } })
    expect(await page.text()).toContain('グループ: sre<')
    portal.op.accounts.set('jiro', { ...HANA, email: 'jiro@example.co.jp', groups: ['c'] })
    expect((await portal.signIn('jiro')).problem).toBe('refused')
  })

  it('outlives an outage', async () => {
    await signedIn()
    const down = portal.stopAnswering()
    expect(await prove()).toBe('unavailable TypeError')
    down.end()
    expect(await prove()).toBe('')
  })

  it('follows new keys, asked for every 30 s at most', async () => {
    await signedIn()
    await portal.op.rotateKeys()
    expect((await portal.signIn('hana')).problem).toBe('rejected')
    portal.advance(30_000)
    expect((await portal.signIn('hana')).problem).toBeNull()
  })

  it('of a provider without refresh tokens is for an hour', async () => {
    await portal[Symbol.asyncDispose]()
    await open('oidc', false)
    const cookie = await signedIn()
    expect(await prove()).toBe('nothing due')
    expect(await portal.gate.statusFor(cookie)).toBe(200)
    portal.gate.state.nowMs += 3_400_000
    expect(await portal.gate.statusFor(cookie)).toBe(401)
    const why = await portal.gate.ask('/__gate/session', { headers: { Cookie: cookie } })
    expect(await why.json()).toMatchObject({ reason: 'unproven' })
  })
})

describe('a provider that limits how often it is asked, over HTTP', () => {
  it.each([
    ['JSON, in seconds', 429, '7', '{"error":"slow_down"}', 7_000],
    ['a page, without a time', 429, null, '<h1>Too Many Requests</h1>', 5_000],
    ['nothing, until a date that is over', 429, 'Fri, 01 Jan 2021 00:00:00 GMT', '', 1_000],
    ['an outage with a time', 503, '2', 'busy', 2_000],
  ] as const)('says so in %s', async (_row, status, retryAfter, body, limitedMs) => {
    await signedIn()
    portal.op.limit = () => [status, retryAfter, body]
    expect(await portal.provider.revalidate('any')).toEqual({
      ...{ kind: 'unavailable', reason: 'rate_limited', limitedMs },
    })
    portal.op.limit = () => null
    expect(await prove()).toBe('')
  })

  it('proves every account in the end, at its pace, and ends no session', async () => {
    for (const account of ['a', 'b', 'c', 'd', 'e', 'f']) {
      portal.op.accounts.set(account, { ...HANA, email: `${account}@example.co.jp` })
      await signedIn(account)
    }
    const { sessions, state } = portal.gate
    state.nowMs += 300_000
    const told = { calls: 0, refused: 0, limited: 0, ended: 0, outages: 0 }
    let elapsedMs = 0
    let freeMs = 0
    portal.op.limit = () => {
      told.calls += 1
      const isFree = elapsedMs >= freeMs
      if (!isFree) told.refused += 1
      else freeMs = elapsedMs + 3_000 // one call in three seconds
      return isFree ? null : [429, '3', '']
    }
    const count = (what: 'limited' | 'ended' | 'outages') => () => {
      told[what] += 1
    }
    await createRevalidation({
      ...{ sessions, identity: portal.provider, intervalMs: 300_000, now: () => state.nowMs },
      ...{ onProven() {}, onUnclear() {}, onEnded: count('ended') },
      ...{ onLimited: count('limited'), onUnavailable: count('outages') },
      pace: {
        elapsed: () => elapsedMs,
        random: () => 0,
        wait: async (ms) => {
          elapsedMs += ms
        },
      },
    })()
    expect((await sessions.listDue()).due).toEqual([])
    expect(told).toMatchObject({ limited: 1, ended: 0, outages: 0 })
    expect(told.calls - told.refused).toBe(6)
    expect(elapsedMs).toBeGreaterThanOrEqual(15_000)
  })
})

describe('groups that a provider does not tell', () => {
  it.each([
    ['Entra: too many, and where to ask', 'entra', { _claim_names: { groups: 'src1' } }],
    ['Entra: too many', 'entra', { hasgroups: true }],
    ['Okta: cut at a hundred', 'okta', { groups: Array.from({ length: 100 }, (_, n) => `g${n}`) }],
    ['a text in place of a list', 'oidc', { groups: 'admins' }],
  ] as const)('are none (%s)', async (_row, vendor, claims) => {
    await portal[Symbol.asyncDispose]()
    await open(vendor)
    const ids = { tid: TENANT, oid: 'o1', roles: ['docs.sre'] }
    portal.op.accounts.set('hana', { ...HANA, ...ids, ...claims })
    const cookie = await signedIn()
    expect(await prove()).toBe(`${vendor}:role:docs.sre role:docs.sre and more`)
    expect(portal.gate.logged).toEqual(['warn groups_unknown'])
    expect(await portal.gate.records()).toContainEqual(expect.objectContaining({ event: 'groups_unknown' }))
    const page = await portal.gate.ask('/__gate/account', { headers: { Cookie: cookie } })
    expect(await page.text()).toContain('グループなしとして扱っています')
  })
})

describe('back-channel logout', () => {
  const seconds = () => Math.floor(portal.nowMs() / 1_000)
  const claims = () => ({
    ...{
      iss: portal.op.issuer,
      aud: 'portal',
      iat: seconds(),
      exp: seconds() + 60,
      jti: crypto.randomUUID(),
    },
    ...{ sub: 'hana', events: EVENT },
  })
  const tell = async (token: string) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ logout_token: token })
    return (
      await portal.gate.ask('/__gate/sign-in/oidc/backchannel-logout', { method: 'POST', headers, body })
    ).status
  }

  it('ends every session of the account, and no others', async () => {
    portal.op.accounts.set('jiro', { ...HANA, email: 'jiro@example.co.jp' })
    const [hana, again, jiro] = [await signedIn(), await signedIn(), await signedIn('jiro')]
    expect(await tell(await portal.op.sign(claims(), { typ: 'logout+jwt' }))).toBe(204)
    expect(await Promise.all([hana, again, jiro].map((cookie) => portal.gate.statusFor(cookie)))).toEqual([
      401, 401, 200,
    ])
    const record = (await portal.gate.records()).filter(({ event }) => event === 'session_revoked')
    expect(record.map(({ by, email }) => `${by} ${email}`)).toEqual(
      Array(2).fill('provider hana@example.co.jp'),
    )
  })

  it('53 counts once', async () => {
    const token = await portal.op.sign(claims())
    expect(await tell(token)).toBe(204)
    const hana = await signedIn()
    expect(await tell(token)).toBe(400)
    expect(await portal.gate.statusFor(hana)).toBe(200)
  })

  it.each<[string, () => Record<string, unknown>]>([
    ['42 another audience', () => ({ aud: 'other' })],
    ['42 another issuer', () => ({ iss: 'https://evil.test' })],
    ['no event', () => ({ events: {} })],
    ['an ID token, which has a nonce', () => ({ nonce: 'n' })],
    ['nobody named', () => ({ sub: undefined })],
    ['no id of its own', () => ({ jti: undefined })],
    ['43 of three minutes ago', () => ({ iat: seconds() - 180 })],
    ['43 of the future', () => ({ iat: seconds() + 120 })],
  ])('ends nothing with %s', async (_row, changes) => {
    const hana = await signedIn()
    expect(await tell(await portal.op.sign({ ...claims(), ...changes() }))).toBe(400)
    expect(await portal.gate.statusFor(hana)).toBe(200)
  })

  it('39, 40 ends nothing for a signature by another issuer, by a secret, or none', async () => {
    const hana = await signedIn()
    const { privateKey } = await generateKeyPair('RS256')
    const forged = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    const secret = new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('client-secret-of-32-characters-x'))
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims())}.`
    for (const token of [await forged, await secret, unsigned, 'junk', ''])
      expect(await tell(token)).toBe(400)
    expect(await portal.gate.statusFor(hana)).toBe(200)
  })

  describe('by Global Token Revocation', () => {
    const path = '/__gate/sign-in/oidc/revocation'
    const revoke = async (token: string, subject: unknown) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
      const body = JSON.stringify({ sub_id: subject })
      return (await portal.gate.ask(path, { method: 'POST', headers, body })).status
    }
    const bearer = (changes = {}) => portal.op.sign({ ...claims(), aud: ORIGIN.origin + path, ...changes })
    const hanaOf = (iss = portal.op.issuer) => ({ format: 'iss_sub', iss, sub: 'hana' })

    it('ends the sessions of the account', async () => {
      const hana = await signedIn()
      expect(await revoke(await bearer(), hanaOf())).toBe(204)
      expect(await portal.gate.statusFor(hana)).toBe(401)
    })

    it('ends nothing for another address, another sender, or an account named by its address', async () => {
      const hana = await signedIn()
      expect(await revoke(await bearer({ aud: 'https://other.test/' }), hanaOf())).toBe(401)
      expect(await revoke(await bearer({ iss: 'https://evil.test' }), hanaOf())).toBe(401)
      expect(await revoke('junk', hanaOf())).toBe(401)
      expect(await revoke(await bearer(), hanaOf('https://evil.test'))).toBe(400)
      expect(await revoke(await bearer(), { format: 'email', email: HANA.email })).toBe(400)
      expect(await revoke(await bearer(), null)).toBe(400)
      expect(await revoke(await bearer(), 'uid')).toBe(400)
      expect(await portal.gate.statusFor(hana)).toBe(200)
    })
  })
})
