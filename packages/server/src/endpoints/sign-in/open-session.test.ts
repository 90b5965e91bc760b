import type { GateResponse } from '@sekisho/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestIssuer, ISSUER, somebody } from '../../identity/testing/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import {
  answerOf,
  cookieHeaderOf,
  createTestGate,
  ORIGIN,
  type TestGate,
  testProvider,
} from '../../testing/test-gate.ts'

let portal: TestGate

beforeAll(async () => {
  portal = await createTestGate()
})
afterAll(() => portal[Symbol.asyncDispose]())

const OURS = { 'Content-Type': 'application/json', Origin: ORIGIN.origin }

function post(init: RequestInit): Promise<GateResponse> {
  return portal.ask('/__gate/session', { method: 'POST', ...init })
}

describe('signing in', () => {
  it('has its line on the disk before it is answered, and without one opens no session', async () => {
    const wasRecorded: boolean[] = []
    let isWorking = true
    await using test = await createTestGate({
      audit: {
        ...portal.audit,
        async recordDurably(event, fields) {
          if (!isWorking) throw new UnavailableError('unavailable', 'the audit trail cannot be written')
          await portal.audit.recordDurably(event, fields)
          wasRecorded.push((await portal.records()).some(({ session }) => session === fields.session))
        },
      },
    })
    expect((await test.postSession(await test.issuer.sign(somebody()))).status).toBe(204)
    expect(wasRecorded).toEqual([true])
    isWorking = false
    const refused = await test.postSession(await test.issuer.sign(somebody()))
    await test.sessions.tidy() // counts
    expect([refused.status, refused.headers.getSetCookie(), test.sessions.size]).toEqual([503, [], 1])
  })

  it('sets two cookies with every attribute, and returns a page', async () => {
    const who = somebody()
    const response = await portal.postSession(await portal.issuer.sign(who))
    const [secret = '', reader = ''] = response.headers.getSetCookie()
    expect(response.status).toBe(204)
    expect(secret).toMatch(
      /^__Host-sekisho=[\w-]{43}; Path=\/; Max-Age=640800; SameSite=Lax; Secure; HttpOnly$/,
    )
    expect(reader).toMatch(/^__Host-sekisho-reader=[\w-]+; Path=\/; Max-Age=36000; SameSite=Lax; Secure$/)
    const shown = JSON.parse(Buffer.from(reader.split(/[=;]/)[1] ?? '', 'base64url').toString())
    expect(shown).toEqual({ email: who.email, name: '山田 花子' })
    expect(await portal.statusFor(cookieHeaderOf(response))).toBe(200)
  })

  it.each([
    ['52 no Origin', { 'Content-Type': 'application/json' }],
    ['52 Origin null', { ...OURS, Origin: 'null' }],
    ['52 another origin', { ...OURS, Origin: 'https://evil.test' }],
    ['52 our host over http', { ...OURS, Origin: 'http://portal.test' }],
    ['52 our name as a prefix', { ...OURS, Origin: 'https://portal.test.evil' }],
    ['52 two origins', { ...OURS, Origin: 'https://portal.test, https://evil.test' }],
    ['52 cross-site by the browser', { ...OURS, 'Sec-Fetch-Site': 'cross-site' }],
    ['52 a sibling host', { ...OURS, 'Sec-Fetch-Site': 'same-site' }],
  ])('is refused with %s', async (_row, headers) => {
    const body = JSON.stringify({ idToken: await portal.issuer.sign(somebody()), refreshToken: 'r' })
    expect(await answerOf(await post({ headers, body }))).toEqual([403, 'bad_origin'])
  })

  it.each([
    ['a form', { ...OURS, 'Content-Type': 'application/x-www-form-urlencoded' }, 'idToken=x', 400],
    ['text', { ...OURS, 'Content-Type': 'text/plain' }, '{}', 400],
    ['another charset', { ...OURS, 'Content-Type': 'application/json; charset=utf-7' }, '{}', 400],
    ['nothing', OURS, '', 400],
    ['broken JSON', OURS, '{"idToken":', 400],
    ['a list', OURS, '["idToken"]', 400],
    ['a missing field', OURS, '{"idToken":"x"}', 400],
    ['a wrong type', OURS, '{"idToken":1,"refreshToken":"x"}', 400],
    ['an unknown field', OURS, '{"idToken":"x","refreshToken":"x","admin":true}', 400],
    ['17 KB', OURS, JSON.stringify({ idToken: 'x'.repeat(17_000), refreshToken: 'x' }), 413],
    ['a token that is none', OURS, '{"idToken":"x","refreshToken":"x"}', 401],
  ])('with %s gets its own refusal', async (_row, headers, body, status) => {
    expect((await post({ headers, body })).status).toBe(status)
  })

  it('45 refuses an unverified address of an admitted domain', async () => {
    const response = await portal.postSession(
      await portal.issuer.sign({ ...somebody(), email_verified: false }),
    )
    expect(await answerOf(response)).toEqual([401, 'rejected'])
    expect((await portal.records()).at(-1)).toMatchObject({
      event: 'sign_in_refused',
      reason: 'unverified_email',
    })
  })

  it('refuses a name with a NUL, which no database has to keep', async () => {
    const response = await portal.postSession(await portal.issuer.sign({ ...somebody(), name: 'A\0B' }))
    expect(await answerOf(response)).toEqual([401, 'rejected'])
    expect((await portal.records()).at(-1)).toMatchObject({ reason: 'nul_character', email: null })
  })

  it('tells an account outside the policy so, and records whom', async () => {
    const stranger = { sub: 'uid-stranger', email: 'a@example.co.jp.evil.com' }
    expect(await answerOf(await portal.postSession(await portal.issuer.sign(stranger)))).toEqual([
      403,
      'not_admitted',
    ])
    expect((await portal.records()).at(-1)).toMatchObject({
      event: 'sign_in_refused',
      reason: 'address_not_admitted',
      email: stranger.email,
    })
  })

  it('50 exchanges a token once, however its signature is encoded', async () => {
    const token = await portal.issuer.sign(somebody())
    expect((await portal.postSession(token)).status).toBe(204)
    expect(await answerOf(await portal.postSession(token))).toEqual([401, 'rejected'])
    const last = token.slice(-1)
    const reencoded = token.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1)
    expect((await portal.postSession(reencoded)).status).toBe(401)
  })

  it('51 changes the identifier and ends the session that was there before', async () => {
    const who = somebody()
    const before = await portal.signIn(who)
    const response = await portal.postSession(await portal.issuer.sign({ ...who, name: 'again' }), {
      Cookie: before,
    })
    expect(cookieHeaderOf(response)).not.toBe(before)
    expect(await portal.statusFor(before)).toBe(401)
  })

  it('51 never adopts an identifier the browser brought', async () => {
    const planted = `__Host-sekisho=${'B'.repeat(43)}`
    await portal.postSession(await portal.issuer.sign(somebody()), { Cookie: planted })
    expect(await portal.statusFor(planted)).toBe(401)
  })

  it('is not possible without an identity configuration', async () => {
    await using unconfigured = await createTestGate({ providers: [] })
    const response = await unconfigured.postSession(await portal.issuer.sign(somebody()))
    expect(await answerOf(response)).toEqual([503, 'not_configured'])
  })

  it('54 answers 503 while the issuer cannot be reached', async () => {
    const down = () => Promise.reject(new UnavailableError('identity_unavailable', 'down'))
    const provider = testProvider({ keys: down, exchange: down, now: Date.now })
    const readAssertion = () => ({ judge: down })
    await using outage = await createTestGate({ providers: [{ ...provider, readAssertion }] })
    expect(await answerOf(await outage.postSession('x'))).toEqual([503, 'identity_unavailable'])
  })
})

describe('the refresh token of a sign-in', () => {
  it.each([
    ['of somebody else', { sub: 'uid-other', email: 'other@example.co.jp' }, 'foreign_refresh_token'],
    ['of another account under the same address', { sub: 'uid-other' }, 'foreign_refresh_token'],
    ['of an address that changed', { email: 'new@example.co.jp' }, 'account_changed'],
    ['of another project', { aud: 'other-1' }, 'claims'],
  ])('48 opens no session when it is %s', async (_row, claims, reason) => {
    await using gate = await createTestGate()
    const idToken = await gate.issuer.sign(claims)
    gate.state.exchange = { kind: 'alive', idToken, refreshToken: 'r' }
    const response = await gate.postSession(await gate.issuer.sign())
    expect(await answerOf(response)).toEqual([401, 'rejected'])
    await gate.sessions.tidy() // counts
    expect(gate.sessions.size).toBe(0)
    expect((await gate.records()).at(-1)).toMatchObject({ reason: `refresh_token ${reason}` })
  })

  it.each([
    ['49 that is no longer good', { kind: 'gone', reason: 'USER_DISABLED' }, [401, 'rejected']],
    ['49 that is answered oddly', { kind: 'unclear', reason: 'status 400' }, [401, 'rejected']],
    [
      '54 nobody could be asked about',
      { kind: 'unavailable', reason: 'down' },
      [503, 'identity_unavailable'],
    ],
  ] as const)('opens no session with one %s', async (_row, exchange, answer) => {
    await using gate = await createTestGate()
    gate.state.exchange = exchange
    expect(await answerOf(await gate.postSession(await gate.issuer.sign()))).toEqual(answer)
    await gate.sessions.tidy() // counts
    expect(gate.sessions.size).toBe(0)
  })
})

describe('56 limits', () => {
  it('slow a flood down, but let the team in from the same address', async () => {
    await using flooded = await createTestGate()
    const statuses: number[] = []
    for (let count = 0; count < 60; count += 1) statuses.push((await flooded.postSession('junk')).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses.slice(25)).toEqual(Array(35).fill(429))
    expect((await flooded.postSession('junk')).headers.get('retry-after')).toBe('3')
    expect((await flooded.postSession(await flooded.issuer.sign())).status).toBe(204)
  })

  it('let in all 30 colleagues through a flood of 1,500 forged tokens from their address', async () => {
    const issuer = await createTestIssuer(Date.now, true)
    let open = 0
    let mostOpen = 0
    await using flooded = await createTestGate({
      now: Date.now,
      providers: [
        testProvider({
          async keys(header, token) {
            mostOpen = Math.max(mostOpen, ++open)
            const key = await issuer.keys(header, token)
            open -= 1
            return key
          },
          exchange: async (token) => ({ kind: 'alive', idToken: token, refreshToken: token }),
          now: Date.now,
        }),
      ],
    })
    const colleague = (n: number) => issuer.sign({ sub: `uid-${n}`, email: `p${n}@example.co.jp` })
    const [head = '', body = ''] = (await colleague(0)).split('.')
    const forged = Array.from({ length: 1_500 }, (_, n) => flooded.postSession(`${head}.${body}.${n}AAA`))
    const colleagues = await Promise.all(Array.from({ length: 30 }, (_, n) => colleague(n)))
    const answers = await Promise.all(colleagues.map((token) => flooded.postSession(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(204))
    const statuses = (await Promise.all(forged)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1_400)
    expect(mostOpen).toBe(2)
    const refused = (await flooded.records()).filter(({ event }) => event === 'sign_in_refused')
    expect(refused.length).toBeLessThan(4) // one line each would fill a disk
  })

  it('sum up refusals of one address, but name each account that was refused', async () => {
    await using flooded = await createTestGate()
    const stranger = (name: string) => flooded.issuer.sign({ sub: name, email: `${name}@evil.test` })
    for (let count = 0; count < 50; count += 1) await flooded.postSession('junk')
    for (const name of ['a', 'b', 'a', 'a']) await flooded.postSession(await stranger(name))
    flooded.sumUpRefused()
    const refused = (await flooded.records()).filter(({ event }) => event === 'sign_in_refused')
    const client = '192.0.2.1'
    expect(refused).toMatchObject([
      { client, reason: 'malformed', email: null, request: expect.any(String) },
      { client, reason: 'address_not_admitted', email: 'a@evil.test', request: expect.any(String) },
      { client, reason: 'address_not_admitted', email: 'b@evil.test', request: expect.any(String) },
      { client, reason: 'malformed', email: null, count: 49 },
      { client, reason: 'address_not_admitted', email: 'a@evil.test', count: 2 },
    ])
  })

  it("count per proven account, so that no account exhausts another's limit", async () => {
    await using busy = await createTestGate()
    const attempt = async (name: string, sub: string, email: string) =>
      (await busy.postSession(await busy.issuer.sign({ sub, email, name }))).status
    for (let count = 0; count < 60; count += 1)
      expect(await attempt(`${count}`, 'uid-a', 'a@example.co.jp')).toBe(204)
    expect(await attempt('60', 'uid-a', 'a@example.co.jp')).toBe(429)
    expect(await attempt('0', 'uid-b', 'b@example.co.jp')).toBe(204)
  })

  it('48 name an account by issuer and subject', async () => {
    const keys: string[] = []
    const accountLimit = { take: (key: string) => keys.push(key) * 0 }
    await using portal = await createTestGate({ accountLimit })
    await portal.signIn({ sub: 'uid-a' })
    expect(keys).toEqual([`${ISSUER} uid-a`])
    expect(await portal.records()).toContainEqual(
      expect.objectContaining({ event: 'signed_in', issuer: ISSUER, sub: 'uid-a' }),
    )
  })
})
