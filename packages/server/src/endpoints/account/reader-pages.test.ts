import { ROUTES } from '@sekisho/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestGate, NAVIGATION, ORIGIN, type TestGate } from '../../testing/test-gate.ts'

let portal: TestGate
let signIns = 0
beforeAll(async () => {
  portal = await createTestGate()
})
afterAll(() => portal[Symbol.asyncDispose]())

function signIn(claims = {}) {
  signIns += 1
  return portal.signIn({ jti: `page ${signIns}`, ...claims })
}
const open = (cookie: string, path: string = ROUTES.account.path) =>
  portal.ask(path, { headers: { ...NAVIGATION, Cookie: cookie } })

function post(cookie: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return portal.ask(ROUTES.account.path, {
    method: 'POST',
    headers: {
      ...{ Cookie: cookie, Origin: ORIGIN.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  })
}

describe('the account page', () => {
  it('says who is signed in, and runs one script of its own', async () => {
    const response = await open(await signIn({ name: '<script>花子</script>' }))
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('<html lang="ja">')
    expect(text).toContain('&#60;script&#62;花子')
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'sha256-[^']+'; connect-src 'self'$/,
    )
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it('shows times by the clock of its readers', async () => {
    portal.state.nowMs = Date.UTC(2026, 10, 23, 17, 50)
    const text = await (await open(await signIn())).text()
    expect(text).toContain('<time datetime="2026-11-23T17:50:00.000Z">2026年11月24日 02:50 JST</time>')
  })

  it('signs out without a script', async () => {
    const cookie = await signIn()
    const response = await post(cookie, { action: 'sign-out' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    expect(response.headers.getSetCookie().join()).toContain('Max-Age=0')
    expect((await open(cookie)).status).toBe(401)
  })

  it('signs out another device of the account, and none of another account', async () => {
    const [here, there] = [await signIn(), await signIn()]
    const other = await signIn({ sub: 'somebody', email: 'taro@example.co.jp' })
    const idOf = async (cookie: string, holder: string) =>
      /name="id" value="([^"]+)"/.exec(await (await open(cookie)).text())?.[1] ?? holder
    const id = await idOf(here, '')
    expect((await post(other, { action: 'end', id })).status).toBe(404)
    expect((await open(there)).status).toBe(200)
    expect((await post(here, { action: 'sign-out-everywhere' })).status).toBe(303)
    expect([(await open(there)).status, (await open(other)).status]).toEqual([401, 200])
    const [again, ended] = [await signIn(), await signIn()]
    const named = await post(again, { action: 'end', id: await idOf(again, '') })
    expect([named.status, named.headers.get('location')]).toEqual([303, ROUTES.account.path])
    expect([(await open(again)).status, (await open(ended)).status]).toEqual([200, 401])
  })

  it.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['another site', { action: 'sign-out' }, { Origin: 'https://evil.test' }, 403],
    ['a form whose origin is withheld', { action: 'sign-out' }, { Origin: 'null' }, 403],
    ['an unknown action', { action: 'become-admin' }, {}, 400],
    ['no session to end', { action: 'end' }, {}, 400],
    ['a body that is no form', { action: 'sign-out' }, { 'Content-Type': 'text/plain' }, 400],
    ['a body too large', { action: 'sign-out', more: 'x'.repeat(1_024) }, {}, 400],
  ])('refuses %s, and nobody is signed out', async (_name, fields, headers, status) => {
    const cookie = await signIn()
    expect((await post(cookie, fields, headers)).status).toBe(status)
    expect((await open(cookie)).status).toBe(200)
  })
})

describe('the bar', () => {
  it('is the same for every reader, and nothing for a stranger', async () => {
    const asked = async (cookie: string) => (await open(cookie, ROUTES.bar.path)).text()
    const script = await asked(await signIn({ name: '花子' }))
    expect(await asked(await signIn({ sub: 'b', email: 'jiro@example.co.jp' }))).toBe(script)
    expect(Buffer.byteLength(script)).toBeLessThan(7_200)
    const addresses = [...script.matchAll(/'(\/[^']*)'/g)].map(([, address]) => address)
    expect(addresses).toEqual([ROUTES.search.path, ROUTES.account.path, ROUTES.session.path])
    const stranger = await portal.ask(ROUTES.bar.path)
    expect([stranger.status, await stranger.text()]).toEqual([401, expect.not.stringContaining('search')])
  })
})
