import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { verifyAudit } from '@sekisho/server/audit'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { migrateDatabase } from '@sekisho/server/database'
import { createSeal, createSessions } from '@sekisho/server/sessions'
import { openStores } from '@sekisho/server/state'
import {
  createTestDatabase,
  HOUR_LIMITS,
  PLAIN,
  roleOf,
  type TestDatabase,
} from '@sekisho/server/state/testing'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { CONTEXT, HOST, SECRET, type ServingGate, startServingGate } from '../support/serving-gate.ts'

const superuserUrl = inject('postgresUrl')
const SECRETS = { current: SECRET, previous: null }
const CLIENT = { client_id: 'https://claude.ai/oauth/claude-code-client-metadata' }
const ISSUER = `https://securetoken.google.com/${CONTEXT.projectId}`

describe.skipIf(superuserUrl === null)('processes of sekisho serve on one database', () => {
  let root: string
  let made: TestDatabase
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sekisho-shared-'))
    made = await createTestDatabase(superuserUrl ?? '')
    await writeFixtureSite(join(root, 'build'))
    for (const name of ['a', 'b', 'd'])
      await packRelease({ buildDir: join(root, 'build'), dataDir: join(root, name), clock: Date.now })
  })
  afterAll(() => rm(root, { recursive: true }))

  const serve = (name: string, env: Record<string, string> = {}) =>
    startServingGate({ dataDir: join(root, name), env: { SEKISHO_DATABASE_URL: made.gateUrl, ...env } })
  const openShared = () =>
    openStores({
      databaseUrl: made.gateUrl,
      folder: dataFolderAt(join(root, 'test')),
      secrets: SECRETS,
      context: { issuer: ISSUER, ...CONTEXT },
      onProblem: () => {},
      now: Date.now,
    })

  async function signIn(): Promise<string> {
    await using stores = await openShared()
    const sessions = createSessions({
      store: stores.sessions,
      seal: createSeal(SECRET),
      limits: HOUR_LIMITS,
      now: Date.now,
    })
    const identity = { ...PLAIN, issuer: ISSUER, sub: 'uid', email: 'a@example.co.jp', name: null }
    const spent = { digest: crypto.randomUUID(), expiresAtMs: Date.now() }
    const started = await sessions.start({ identity, refreshToken: 'r', spent, device: '', address: '' })
    if (started.kind !== 'started') throw new Error(started.kind)
    return started.token
  }

  async function ask(gate: ServingGate, method: string, path: string, token: string): Promise<number> {
    const headers = { Host: HOST, Origin: CONTEXT.origin, Cookie: `__Host-sekisho=${token}` }
    const sent = request({ host: '127.0.0.1', port: gate.port, method, path, headers })
    sent.end()
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }

  /** One request, as a browser or a client would send it. */
  async function send(
    gate: ServingGate,
    path: string,
    headers: Record<string, string>,
    form?: Record<string, string>,
  ) {
    const body = form === undefined ? '' : new URLSearchParams(form).toString()
    const type = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    }
    const method = form === undefined ? 'GET' : 'POST'
    const sent = request({
      ...{ host: '127.0.0.1', port: gate.port, method, path },
      headers: { Host: HOST, ...(form === undefined ? {} : type), ...headers },
    })
    sent.end(body)
    const [response] = await once(sent, 'response')
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part)
    const text = Buffer.concat(parts).toString()
    return { status: Number(response.statusCode), headers: response.headers, text }
  }

  it('start only on a schema, share sessions, end them together, and leave one trail', async () => {
    await expect(serve('a')).rejects.toThrow(/run: sekisho migrate --grant/)
    await migrateDatabase(made.ownerUrl, { gate: roleOf(made.gateUrl) })
    await using first = await serve('a')
    await using second = await serve('b')
    const token = await signIn()
    const read = () => Promise.all([first, second].map((gate) => ask(gate, 'GET', '/docs/secret', token)))
    expect(await read()).toEqual([200, 200])
    await expect(serve('c', { SEKISHO_SECRET: 'x'.repeat(32) })).rejects.toThrow(
      /SEKISHO_SECRET is another one/,
    )
    expect(await read()).toEqual([200, 200])
    expect(await ask(first, 'DELETE', '/__gate/session', token)).toBe(204)
    await vi.waitFor(async () => expect(await read()).toEqual([401, 401]), { timeout: 1_000, interval: 20 })

    const other = await signIn()
    expect(await ask(second, 'GET', '/docs/secret', other)).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 400)) // its line is in the database after 200 ms
    second.child.kill('SIGKILL')
    await once(second.child, 'exit')
    expect(await ask(first, 'GET', '/docs/secret', other)).toBe(200)
    first.child.kill('SIGTERM')
    expect(await once(first.child, 'exit'), first.output()).toEqual([0, null])

    await using stores = await openShared()
    const { publicKey } = await stores.openAuditKey(SECRETS)
    const verdict = await verifyAudit(stores.audit, { publicKey })
    expect(verdict.problems).toEqual([])
    expect(verdict.chains).toHaveLength(2)
    const events: string[] = []
    for (const { chain } of verdict.chains) {
      for await (const { lines } of stores.audit.read(chain))
        events.push(...lines.map((line) => JSON.parse(line).event))
    }
    // One more for each that was answered between the sign-out and its being heard.
    expect(events.filter((event) => event === 'page_read').length).toBeGreaterThanOrEqual(4)
    expect(events).toContain('signed_out')
  })

  /** Asks at one gate, says yes at another, and gets the tokens at the first; resolves to these and the reader's cookie from then on. */
  async function letIn(asking: ServingGate, deciding: ServingGate, Cookie: string) {
    const verifier = 'v'.repeat(43)
    const redirect = { redirect_uri: 'http://localhost:53123/callback' }
    const code_challenge = hash('sha256', verifier, 'base64url')
    const challenge = { code_challenge, code_challenge_method: 'S256' }
    const asked = new URLSearchParams({ response_type: 'code', ...CLIENT, ...redirect, ...challenge })
    const page = await send(asking, `/oauth/authorize?${asked}`, { Cookie })
    const [, shown = ''] = /name="request" value="([^"]+)"/.exec(page.text) ?? []
    const ours = { Cookie, Origin: CONTEXT.origin, 'Sec-Fetch-Site': 'same-origin' }
    const decided = await send(deciding, '/oauth/authorize', ours, { request: shown, decision: 'allow' })
    const code = /[?&]code=([\w-]+)/.exec(decided.headers.refresh ?? '')?.[1] ?? ''
    const exchange = {
      grant_type: 'authorization_code',
      code,
      ...CLIENT,
      ...redirect,
      code_verifier: verifier,
    }
    const { access_token, refresh_token } = JSON.parse(
      (await send(asking, '/oauth/token', {}, exchange)).text,
    )
    const [renewed = ''] = decided.headers['set-cookie'] ?? []
    return {
      token: String(access_token),
      refresh: String(refresh_token),
      cookie: /__Host-sekisho=([^;]+)/.exec(renewed)?.[1] ?? '',
    }
  }

  it('know a grant of any of three gates, and its end, within a second, wherever it ends', async () => {
    await using first = await serve('a')
    await using second = await serve('b')
    await using third = await serve('d')
    const mcp = (token: string) =>
      Promise.all(
        [first, second, third].map(
          async (gate) => (await send(gate, '/mcp', { Authorization: `Bearer ${token}` })).status,
        ),
      )
    const made = await letIn(first, second, `__Host-sekisho=${await signIn()}`)
    expect(await mcp(made.token)).toEqual([405, 405, 405]) // GET is no method of it, for whoever may ask
    const refresh = async (gate: ServingGate, refresh_token: string) => {
      const form = { grant_type: 'refresh_token', refresh_token, ...CLIENT }
      return JSON.parse((await send(gate, '/oauth/token', {}, form)).text)
    }
    // Two processes share a token, each behind a gate of its own, and go on side by side.
    const gates = [first, third]
    const siblings = await Promise.all(gates.map((gate) => refresh(gate, made.refresh)))
    const next = await Promise.all(gates.map((gate, n) => refresh(gate, siblings[n].refresh_token)))
    for (const { access_token } of [...siblings, ...next])
      expect(await mcp(access_token)).toEqual([405, 405, 405])
    const again = await letIn(second, third, `__Host-sekisho=${made.cookie}`)
    expect((await send(second, '/oauth/revoke', {}, { token: made.token, ...CLIENT })).status).toBe(200)
    expect(await mcp(made.token)).toEqual([401, 401, 401]) // each asks the database
    expect(await mcp(again.token)).toEqual([405, 405, 405]) // another grant of the same sign-in
    expect(await ask(third, 'DELETE', '/__gate/sessions', made.cookie)).toBe(204) // a sign-out everywhere
    await vi.waitFor(async () => expect(await mcp(again.token)).toEqual([401, 401, 401]), {
      timeout: 1_000,
      interval: 20,
    })
  })
})
