import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { openStores } from '@sekisho/state'
import { deriveAuditKey, verifyAudit } from '@sekisho/state/audit'
import { dataFolderAt } from '@sekisho/state/data-folder'
import { migrateDatabase } from '@sekisho/state/database'
import { createSeal, createSessions } from '@sekisho/state/sessions'
import { createTestDatabase, PLAIN, roleOf, type TestDatabase } from '@sekisho/state/testing'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { writeFixtureSite } from './support/fixture-site.ts'
import { CONTEXT, HOST, SECRET, type ServingGate, startServingGate } from './support/serving-gate.ts'

const superuserUrl = inject('postgresUrl')
const HOUR_MS = 3_600_000
const LIMITS = { idleMs: HOUR_MS, absoluteMs: HOUR_MS, reproofIntervalMs: HOUR_MS, reproofGraceMs: HOUR_MS }
const ISSUER = `https://securetoken.google.com/${CONTEXT.projectId}`

describe.skipIf(superuserUrl === null)('two processes of sekisho serve on one database', () => {
  let root: string
  let made: TestDatabase
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sekisho-shared-'))
    made = await createTestDatabase(superuserUrl ?? '')
    await writeFixtureSite(join(root, 'build'))
    for (const name of ['a', 'b'])
      await packRelease({ buildDir: join(root, 'build'), dataDir: join(root, name), clock: Date.now })
  })
  afterAll(() => rm(root, { recursive: true }))

  const serve = (name: string) =>
    startServingGate({ dataDir: join(root, name), env: { SEKISHO_DATABASE_URL: made.gateUrl } })
  const openShared = () =>
    openStores({
      databaseUrl: made.gateUrl,
      folder: dataFolderAt(join(root, 'test')),
      secret: SECRET,
      context: { issuer: ISSUER, ...CONTEXT },
      onProblem: () => {},
      now: Date.now,
    })

  async function signIn(): Promise<string> {
    await using stores = await openShared()
    const sessions = createSessions({
      store: stores.sessions,
      seal: createSeal(SECRET),
      limits: LIMITS,
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

  it('start only on a schema, share sessions, end them together, and leave one trail', async () => {
    await expect(serve('a')).rejects.toThrow(/run: sekisho migrate --grant/)
    await migrateDatabase(made.ownerUrl, roleOf(made.gateUrl))
    await using first = await serve('a')
    await using second = await serve('b')
    const token = await signIn()
    const read = () => Promise.all([first, second].map((gate) => ask(gate, 'GET', '/docs/secret', token)))
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
    const verdict = await verifyAudit(stores.audit, { publicKey: deriveAuditKey(SECRET).publicKey })
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
})
