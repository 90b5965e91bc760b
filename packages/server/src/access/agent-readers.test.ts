import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { somebody } from '../identity/testing/index.ts'
import { jsonResponse } from '../kernel/pages/problem.ts'
import { agentRoute, joinRoutes } from '../kernel/route-table.ts'
import { createTestGate, NAVIGATION, type TestGate } from '../testing/test-gate.ts'
import { readPolicy } from './policy.ts'

const ENDPOINT = joinRoutes(
  new Map([
    agentRoute(AGENT_ROUTES.mcp, {
      POST: (_request, { account, grant, via }) =>
        jsonResponse({ email: account.email, groups: account.vouched.groups, client: grant?.name, via }),
    }),
  ]),
)

let portal: TestGate
beforeAll(async () => {
  portal = await createTestGate({ endpoints: [ENDPOINT] })
})
afterAll(() => portal[Symbol.asyncDispose]())

const ask = (headers: Record<string, string>, init: RequestInit = {}) =>
  portal.ask('/mcp', { method: 'POST', headers, ...init })
async function bytesOf(response: GateResponse): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()])
}

describe('an agent', () => {
  it('is whom its token was let read for', async () => {
    const who = somebody()
    const answer = await ask({ Authorization: await portal.signInAgent(who) })
    expect(await answer.json()).toEqual({
      ...{ email: who.email, groups: [], client: 'Test Agent', via: 'agent' },
    })
    expect(portal.exchanges.at(-1)?.context.isReader).toBe(true) // a line of the log for each, as of readers
  })

  it('77 without a token that counts is told where to get one, in the same bytes whatever was sent', async () => {
    const cookie = await portal.signIn(somebody())
    const token = await portal.signInAgent(somebody())
    const sent: readonly (readonly [Record<string, string>, RequestInit?])[] = [
      [{}],
      [{ Cookie: cookie }],
      [{ Cookie: cookie, ...NAVIGATION }],
      [{ Authorization: `Bearer ${cookie.split(/[=;]/)[1]}` }],
      [{ Authorization: 'Bearer sekisho_agent_nobody' }],
      [{ Authorization: token.replace('Bearer', 'Basic') }],
      [{ Authorization: `${token}x` }],
      [{ Authorization: `${token}, ${token}` }],
      [{ Origin: 'https://evil.test', 'Content-Type': 'text/plain' }, { body: '{"method":"initialize"}' }],
      [{ 'Content-Type': 'application/json' }, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }],
      [{}, { method: 'GET' }],
      [{}, { method: 'DELETE' }],
      [{}, { method: 'PUT' }],
    ]
    const answers = await Promise.all(sent.map(async ([headers, init]) => bytesOf(await ask(headers, init))))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain(
      'Bearer resource_metadata=\\"https://portal.test/.well-known/oauth-protected-resource/mcp\\", scope=\\"docs:read\\"',
    )
  })

  it('77 is invalid on other routes, and a cookie is invalid here', async () => {
    const token = await portal.signInAgent(somebody())
    for (const path of ['/docs/guide', '/', '/__gate/session', '/__gate/account', '/__gate/search?q=a']) {
      const answer = await portal.ask(path, { headers: { Authorization: token } })
      const stranger = await portal.ask(path)
      expect([path, await bytesOf(answer)]).toEqual([path, await bytesOf(stranger)])
    }
    const cookie = await portal.signIn(somebody())
    expect((await portal.ask('/mcp', { method: 'POST', headers: { Cookie: cookie } })).status).toBe(401)
  })

  it('77 has no token in the address', async () => {
    const token = (await portal.signInAgent(somebody())).slice('Bearer '.length)
    const answer = await portal.ask(`/mcp?access_token=${token}`, { method: 'POST' })
    expect(answer.status).toBe(401)
  })

  it('49 is invalid once the policy does not admit its account, and its reader is signed out', async () => {
    const who = somebody()
    const token = await portal.signInAgent(who)
    const before = portal.state.policy
    portal.state.policy = readPolicy([], ['somebody-else@example.co.jp']).policy
    expect((await ask({ Authorization: token })).status).toBe(401)
    portal.state.policy = before
    expect((await ask({ Authorization: token })).status).toBe(401)
    const lines = (await portal.records()).filter(({ email }) => email === who.email)
    expect(lines.map(({ event }) => event)).toContain('access_refused')
  })

  it('is invalid once its access token or its grant is over', async () => {
    const token = await portal.signInAgent(somebody())
    expect((await ask({ Authorization: token })).status).toBe(200)
    portal.state.nowMs += 15 * 60_000
    expect((await ask({ Authorization: token })).status).toBe(401)
  })
})
