import { AGENT_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { somebody } from '../../identity/testing/index.ts'
import { jsonResponse } from '../../kernel/pages/problem.ts'
import { agentRoute } from '../../kernel/route-table.ts'
import { createTestClient } from '../../testing/test-client.ts'
import { cookieHeaderOf, createTestGate, ORIGIN, type TestGate } from '../../testing/test-gate.ts'

const ENDPOINT = new Map([
  agentRoute(AGENT_ROUTES.mcp, { POST: (_request, { via }) => jsonResponse({ via }) }),
])
let portal: TestGate
beforeAll(async () => {
  portal = await createTestGate({ endpoints: [ENDPOINT] })
})
afterAll(() => portal[Symbol.asyncDispose]())

const page = async (Cookie: string) => (await portal.ask(ROUTES.account.path, { headers: { Cookie } })).text()
const post = (Cookie: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  portal.ask(ROUTES.account.path, {
    method: 'POST',
    headers: {
      Cookie,
      Origin: ORIGIN.origin,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  })
const mcp = async (token: string) =>
  (await portal.ask('/mcp', { method: 'POST', headers: { Authorization: `Bearer ${token}` } })).status

async function makeToken(cookie: string, fields: Record<string, string> = {}) {
  const response = await post(cookie, { action: 'make-token', name: '夜間 CI', days: '30', ...fields })
  const [token = ''] = /sekisho_personal_[\w-]{43}/.exec(await response.text()) ?? []
  const renewed = response.headers.getSetCookie().length > 0 ? cookieHeaderOf(response) : cookie
  return { status: response.status, token, cookie: renewed }
}

describe('the agents of an account', () => {
  it('are listed with client, day, last use and calls, and end with a click', async () => {
    const who = somebody()
    const cookie = await portal.signIn(who)
    expect(await page(cookie)).toContain('エージェントはありません')
    const client = createTestClient(portal)
    const decided = await client.decide(cookie, await client.show(cookie))
    const code = decided.location?.searchParams.get('code') ?? ''
    const { access_token } = JSON.parse(await (await client.token({ code })).text())
    await mcp(access_token)
    await mcp(access_token)
    await portal.grants.synchronise()
    const text = await page(decided.cookie)
    for (const part of ['Claude Code', 'claude.ai', '2026年11月21日', '(2 回)']) expect(text).toContain(part)
    expect(text.match(/name="action" value="end"/g)).toBeNull() // one browser, and no offline session beside it
    const [, id = ''] = /value="end-agent"><input type="hidden" name="id" value="([^"]+)"/.exec(text) ?? []
    const stranger = await portal.signIn(somebody())
    expect((await post(stranger, { action: 'end-agent', id })).status).toBe(404)
    expect(
      (await post(decided.cookie, { action: 'end-agent', id }, { Origin: 'https://evil.test' })).status,
    ).toBe(403)
    expect(await mcp(access_token)).toBe(200)
    expect((await post(decided.cookie, { action: 'end-agent', id })).status).toBe(303)
    expect(await mcp(access_token)).toBe(401)
    const lines = (await portal.records()).filter(({ event }) => event === 'agent_ended')
    expect(lines.at(-1)).toMatchObject({ by: 'reader', email: who.email, grant: id })
  })
})

describe('a personal token', () => {
  it('is shown once, reads at /mcp and the text of a page, and nothing else', async () => {
    const who = somebody()
    const { token, cookie } = await makeToken(await portal.signIn(who))
    expect(await page(cookie)).not.toContain(token)
    expect(await page(cookie)).toContain('夜間 CI')
    expect(await mcp(token)).toBe(200)
    const Authorization = `Bearer ${token}`
    const text = await portal.ask('/docs/guide.md', { headers: { Authorization } })
    const byCookie = await portal.ask('/docs/guide.md', { headers: { Cookie: cookie } })
    expect([text.status, await text.text()]).toEqual([200, await byCookie.text()])
    for (const path of [
      '/docs/guide',
      '/',
      '/feed.xml',
      '/__gate/session',
      '/__gate/account',
      '/oauth/authorize',
    ]) {
      const answer = await portal.ask(path, { headers: { Authorization } })
      expect([path, answer.status]).toEqual([path, (await portal.ask(path)).status])
    }
    const negotiated = await portal.ask('/docs/guide', {
      headers: { Authorization, Accept: 'text/markdown' },
    })
    expect([negotiated.status, negotiated.headers.get('content-type')]).toEqual([
      200,
      text.headers.get('content-type'),
    ])
    const asMarkdown = { Authorization, Accept: 'text/markdown, text/html;q=0.9' }
    for (const path of ['/files/manual.pdf', '/__gate/account', '/oauth/authorize', '/__gate/bar.js']) {
      const answer = await portal.ask(path, { headers: asMarkdown })
      expect([path, answer.status]).toEqual([path, path === '/files/manual.pdf' ? 404 : 401])
    }
    const line = (await portal.records()).find(({ event }) => event === 'agent_token_made')
    expect(line).toMatchObject({ email: who.email, name: '夜間 CI', days: 30 })
    const read = (await portal.records()).filter((one) => one.path === '/files/manual.pdf')
    expect(read).toEqual([]) // refused, so not read
    expect(JSON.stringify(await portal.records())).not.toContain(token)
  })

  it('77 of a client, or of somebody who may not read any more, brings no text of a page', async () => {
    const who = somebody()
    const { token, cookie } = await makeToken(await portal.signIn(who))
    const statusOf = async (headers: Record<string, string>) =>
      (await portal.ask('/docs/guide.md', { headers })).status
    const bad = `Bearer sekisho_personal_${'A'.repeat(43)}`
    expect(await statusOf({ Authorization: await portal.signInAgent(somebody()) })).toBe(401)
    expect(await statusOf({ Authorization: bad })).toBe(401)
    expect(await statusOf({ Authorization: bad, Cookie: cookie })).toBe(401) // never the one for want of the other
    const before = portal.state.policy
    portal.state.policy = readPolicy([], ['somebody-else@example.co.jp']).policy
    expect(await statusOf({ Authorization: `Bearer ${token}` })).toBe(401)
    portal.state.policy = before
    expect(await statusOf({ Authorization: `Bearer ${token}` })).toBe(401)
  })

  it('is over when it says so', async () => {
    const { token } = await makeToken(await portal.signIn(somebody()), { days: '1' })
    portal.state.nowMs += 86_399_000
    const { due } = await portal.sessions.listDue()
    for (const row of due) portal.sessions.markProven(row, 'r', row)
    expect(await mcp(token)).toBe(200)
    portal.state.nowMs += 1_000
    expect(await mcp(token)).toBe(401)
  })

  it.each([
    { name: '' },
    { name: 'a'.repeat(41) },
    { name: 'a\u202Eb' },
    { days: '0' },
    { days: '366' },
    { days: '-1' },
    { days: '' },
    { days: '1e2' },
  ])('is not made of %o', async (fields) => {
    expect(await makeToken(await portal.signIn(somebody()), fields)).toMatchObject({ status: 400, token: '' })
  })

  it('is one of twenty', async () => {
    let cookie = await portal.signIn(somebody())
    const statuses: number[] = []
    for (let n = 0; n < 21; n += 1) {
      const made = await makeToken(cookie)
      statuses.push(made.status)
      cookie = made.cookie
    }
    expect(statuses).toEqual([...Array<number>(20).fill(200), 400])
  })
})
