import { readOwnSessions } from '@sekisho/contract/own-sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { somebody } from '../../identity/testing/index.ts'
import { PLAIN } from '../../state/testing/index.ts'
import { answerOf, createTestGate, ORIGIN, readObject, type TestGate } from '../../testing/test-gate.ts'

let portal: TestGate

beforeAll(async () => {
  portal = await createTestGate()
})
afterAll(() => portal[Symbol.asyncDispose]())

describe('the session endpoint', () => {
  const show = (cookie: string) => portal.ask('/__gate/session', { headers: { Cookie: cookie } })

  it('shows who is signed in, without counting as use', async () => {
    const who = somebody()
    const cookie = await portal.signIn(who)
    const expiresAtMs = portal.state.nowMs + 3_600_000
    const expected = {
      email: who.email,
      name: '山田 花子',
      expiresAtMs,
      isSignInConfigured: true,
      release: expect.any(String),
    }
    expect(await readObject(await show(cookie))).toEqual(expected)
    portal.state.nowMs += 60_000
    expect((await readObject(await show(cookie))).expiresAtMs).toBe(expiresAtMs)
    await portal.statusFor(cookie)
    expect((await readObject(await show(cookie))).expiresAtMs).toBe(expiresAtMs + 60_000)
  })

  it('reports that sign-in is impossible, because no provider is configured', async () => {
    await using gate = await createTestGate({ providers: [] })
    const spent = { digest: 'd', expiresAtMs: gate.state.nowMs + 60_000 }
    const { email } = somebody()
    const identity = { ...PLAIN, sub: 'uid', email, name: null }
    const started = await gate.sessions.start({ identity, refreshToken: 'r', spent, device: '', address: '' })
    if (started.kind !== 'started') throw new Error(started.kind)
    const Cookie = `__Host-sekisho=${started.token}`
    const answer = await gate.ask('/__gate/session', { headers: { Cookie } })
    expect(await readObject(answer)).toMatchObject({ email, isSignInConfigured: false })
  })

  it('lists the sessions of the account, and no others', async () => {
    const who = somebody()
    const first = await portal.signIn(who)
    portal.state.nowMs += 60_000
    const second = await portal.signIn({ ...who, name: 'second' })
    await portal.signIn(somebody())
    const list = async (cookie: string) =>
      (await readObject(await portal.ask('/__gate/sessions', { headers: { Cookie: cookie } }))).sessions
    const seen = { id: expect.stringMatching(/^[\w-]{12}$/), device: '', place: '本社' }
    const [startedAtMs, lastSeenAtMs] = [portal.state.nowMs - 60_000, portal.state.nowMs]
    expect(await list(first)).toEqual([
      { ...seen, startedAtMs: lastSeenAtMs, lastSeenAtMs, isThisOne: false },
      { ...seen, startedAtMs, lastSeenAtMs: startedAtMs, isThisOne: true },
    ])
    expect(await list(second)).toMatchObject([{ isThisOne: true }, { isThisOne: false }])
    const stranger = await portal.ask('/__gate/sessions', { headers: { Accept: 'text/html' } })
    expect(await answerOf(stranger)).toEqual([401, 'signed_out'])
  })

  /** Response of `GET /__gate/session` to a cookie, and the cookie's new value. */
  const why = async (cookie: string) => {
    const response = await show(cookie)
    const isCleared = response.headers.getSetCookie().some((line) => line.startsWith('__Host-sekisho=;'))
    return { status: response.status, reason: (await readObject(response)).reason, isCleared }
  }
  const told = (reason: string) => ({ status: 401, reason, isCleared: false })
  const STRANGER = { status: 401, reason: undefined, isCleared: true }

  it('tells the holder of its cookie why a session ended', async () => {
    const idle = await portal.signIn(somebody())
    portal.state.nowMs += 3_600_000
    expect(await why(idle)).toEqual(told('idle'))
    await portal.sessions.tidy()
    expect(await why(idle)).toEqual(told('idle'))

    const refused = await portal.signIn(somebody())
    const { policy } = portal.state
    portal.state.policy = readPolicy(['elsewhere.example'], []).policy
    expect(await why(refused)).toEqual(told('policy'))
    portal.state.policy = policy
    expect(await why(refused)).toEqual(told('policy'))

    const who = somebody()
    const here = await portal.signIn(who)
    const far = await portal.signIn({ ...who, name: 'second' })
    const headers = { Cookie: here, Origin: ORIGIN.origin }
    await portal.ask('/__gate/sessions', { method: 'DELETE', headers })
    expect(await why(far)).toEqual(told('elsewhere'))
    expect(await why(here)).toEqual(STRANGER) // who ended it themselves needs no reason
  })

  it('tells a stranger nothing, whatever token they send', async () => {
    await portal.signIn(somebody())
    expect(await why(`__Host-sekisho=${'A'.repeat(43)}`)).toEqual(STRANGER)
    expect(await why('__Host-sekisho=x')).toEqual(STRANGER)
    expect(await why('')).toEqual({ ...STRANGER, isCleared: false })
  })

  it('is asked by one address no oftener than once a second for long', async () => {
    const idle = await portal.signIn(somebody())
    portal.state.nowMs += 3_600_000
    for (let n = 0; n < 40; n += 1) await why(`__Host-sekisho=${'A'.repeat(43)}`)
    expect(await why(idle)).toEqual({ status: 401, reason: undefined, isCleared: false })
    portal.state.nowMs += 1_000
    expect(await why(idle)).toEqual(told('idle'))
  })

  it('ends one session of the account by its name, and none of another', async () => {
    const idOf = async (cookie: string) => {
      const list = await readObject(await portal.ask('/__gate/sessions', { headers: { Cookie: cookie } }))
      const own = readOwnSessions(list).find(({ isThisOne }) => isThisOne)
      return own?.id ?? ''
    }
    const end = async (cookie: string, query: string) => {
      const headers = { Cookie: cookie, Origin: ORIGIN.origin }
      return (await portal.ask(`/__gate/sessions${query}`, { method: 'DELETE', headers })).status
    }
    portal.state.nowMs += 60_000 // so that this address may ask again
    const who = somebody()
    const here = await portal.signIn(who)
    const far = await portal.signIn({ ...who, name: 'second' })
    const other = await portal.signIn(somebody())
    const query = `?id=${await idOf(far)}`
    expect(await end(other, query)).toBe(404)
    for (const odd of [`${query}&id=x`, `${query}%20`, '?x=1', '?id'])
      expect(await end(here, odd), odd).toBe(400)
    expect(await end(here, '?id=')).toBe(404)
    expect(await end('', query)).toBe(401)
    expect(await portal.statusFor(here)).toBe(200)
    expect(await end(here, query)).toBe(204)
    expect([
      await portal.statusFor(here),
      await portal.statusFor(far),
      await portal.statusFor(other),
    ]).toEqual([200, 401, 200])
    expect(await why(far)).toEqual(told('elsewhere'))
  })

  it('53 answers an ended session with a problem document and never a redirect', async () => {
    const response = await portal.ask('/__gate/session', { headers: { Accept: 'text/html' } })
    expect(await answerOf(response)).toEqual([401, 'signed_out'])
  })
})

describe('signing out', () => {
  const signOut = (cookie: string, path = '/__gate/session', headers: Record<string, string> = {}) =>
    portal.ask(path, { method: 'DELETE', headers: { Cookie: cookie, Origin: ORIGIN.origin, ...headers } })

  it('53 ends the session on the server, clears cookies and cache, and can be repeated', async () => {
    const who = somebody()
    const cookie = await portal.signIn(who)
    const response = await signOut(cookie)
    expect(response.status).toBe(204)
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    expect(response.headers.getSetCookie()).toHaveLength(2)
    for (const line of response.headers.getSetCookie()) expect(line).toMatch(/=; .*Max-Age=0/)
    expect(await portal.statusFor(cookie)).toBe(401)
    expect((await signOut(cookie)).status).toBe(204)
    expect((await signOut('')).status).toBe(204)
    expect((await portal.records()).at(-1)).toMatchObject({
      event: 'signed_out',
      email: who.email,
    })
  })

  it('ends every session of the account, and no others', async () => {
    const who = somebody()
    const cookies = [await portal.signIn(who), await portal.signIn({ ...who, name: 'second' })]
    const other = await portal.signIn(somebody())
    expect((await signOut(cookies[0] ?? '', '/__gate/sessions')).status).toBe(204)
    expect(await Promise.all([...cookies, other].map((cookie) => portal.statusFor(cookie)))).toEqual([
      401, 401, 200,
    ])
  })

  it.each([
    ['53 a GET', 'GET', {}],
    ['53 a POST', 'POST', {}],
    ['53 another site', 'DELETE', { Origin: 'https://evil.test' }],
    ['53 no origin', 'DELETE', { Origin: '' }],
  ])('is not done by %s', async (_row, method, headers) => {
    const cookie = await portal.signIn(somebody())
    for (const path of ['/__gate/session', '/__gate/sessions']) {
      await portal.ask(path, { method, headers: { Cookie: cookie, Origin: ORIGIN.origin, ...headers } })
    }
    expect(await portal.statusFor(cookie)).toBe(200)
  })
})
