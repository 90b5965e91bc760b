import type { Gate } from '@sekisho/server'
import { readPolicy } from '@sekisho/server'
import { ORIGIN } from '@sekisho/server/testing'
import { openConnection } from '@sekisho/verify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FixtureGate, listenFixtureGate } from '../support/fixture-gate.ts'

/**
 * One gate for repeated requests: the same bytes are sent again on one connection after something has changed, and must be decided anew.
 */
let fixture: FixtureGate
let cookie: string

beforeEach(async () => {
  fixture = await listenFixtureGate()
  cookie = await fixture.signIn()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const HOUR_MS = 3_600_000
const PATIENCE_MS = 15_000
const STEPS: readonly (readonly [row: string, change: () => unknown])[] = [
  ['the reader signed out elsewhere', signOut],
  ['the policy no longer admits the account', () => admitOnly('other.example')],
  ['the session was idle for too long', () => (fixture.test.state.nowMs += HOUR_MS)],
]

it.each(STEPS)('asks a stranger to sign in once %s', async (_row, change) => {
  expect(await statusesAround(change)).toEqual([200, 200, 401])
})

it.each(STEPS)(
  'a gate that remembers whom it let in by what a connection repeats would be found: %s',
  async (_row, change) => {
    fixture.replace(rememberByHeaders(fixture.test.gate))
    expect(await statusesAround(change)).toEqual([200, 200, 200])
  },
)

it('tells readers apart who share a connection, as behind a proxy', async () => {
  const other = await fixture.signIn({ sub: 'uid-b', email: 'b@example.co.jp' })
  using connection = await connect()
  for (const reader of [cookie, other, cookie]) expect(await connection.ask(reader)).toBe(200)
  expect(await connection.ask('__Host-sekisho=nobody')).toBe(401)
  const times = new Map<unknown, number>()
  for (const { event, email } of await fixture.test.records()) {
    if (event === 'page_read') times.set(email, (times.get(email) ?? 0) + 1)
  }
  expect([...times]).toEqual([
    ['a@example.co.jp', 2],
    ['b@example.co.jp', 1],
  ])
})

/** Asks twice, makes the change, and asks once more: the same bytes on one connection. */
async function statusesAround(change: () => unknown): Promise<readonly unknown[]> {
  using connection = await connect()
  const before = [await connection.ask(cookie), await connection.ask(cookie)]
  await change()
  return [...before, await connection.ask(cookie)]
}

/** A connection that stays open; `ask` resolves to the status of one answer. */
async function connect() {
  const connection = await openConnection(
    { host: '127.0.0.1', port: fixture.port, servername: null },
    PATIENCE_MS,
  )
  return {
    async ask(sent: string): Promise<number | string | undefined> {
      const bytes = Buffer.from(
        `GET /docs/secret HTTP/1.1\r\nHost: ${ORIGIN.host}\r\nCookie: ${sent}\r\n\r\n`,
      )
      const [outcome] = await connection.exchange(bytes, ['GET'], PATIENCE_MS)
      return outcome?.kind === 'response' ? outcome.response.status : outcome?.kind
    },
    [Symbol.dispose]: connection.close,
  }
}

async function signOut(): Promise<void> {
  const headers = { Cookie: cookie, Origin: ORIGIN.origin }
  expect((await fixture.test.ask('/__gate/session', { method: 'DELETE', headers })).status).toBe(204)
}

function admitOnly(domain: string): void {
  fixture.test.state.policy = readPolicy([domain], []).policy
}

/** Broken on purpose: a response is reused for every request with the same headers. */
function rememberByHeaders(gate: Gate): Gate {
  const known = new Map<string, ReturnType<Gate>>()
  return (request, peer) => {
    const headers = JSON.stringify([...request.headers])
    const answer = known.get(headers) ?? gate(request, peer)
    known.set(headers, answer)
    return answer
  }
}
