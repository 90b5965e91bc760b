import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { createPostgresSessions, readContextId } from '../../state/sessions/postgres/postgres-sessions.ts'
import { createSeal } from '../../state/sessions/rows/seal.ts'
import { sessionKeyOf } from '../../state/sessions/rows/session-key.ts'
import { createSessions, type Sessions } from '../../state/sessions/sessions.ts'
import {
  createTestDatabase,
  type PostgresServer,
  roleOf,
  startPostgres,
  type TestDatabase,
} from '../../state/testing/postgres/postgres-server.ts'
import { createMigratedDatabase } from '../../state/testing/postgres/test-database.ts'
import { HOUR_LIMITS, HOUR_MS, PLAIN } from '../../state/testing/test-sessions.ts'
import { UnavailableError } from '../unavailable-error.ts'
import { type Database, openDatabase } from './database.ts'
import { assertMigrated, migrateDatabase } from './migrate.ts'

const superuserUrl = inject('postgresUrl')
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }

interface Gate extends AsyncDisposable {
  readonly database: Database
  readonly sessions: Sessions
  readonly holdProving: () => Promise<boolean>
  readonly problems: string[]
  isIn(token: string): Promise<boolean>
}

/** A gate's access to the database. */
async function openGate(url: string): Promise<Gate> {
  const problems: string[] = []
  const database = await openDatabase({ url, onProblem: (problem) => problems.push(problem) })
  const store = createPostgresSessions(database, await readContextId(database, CONTEXT))
  const sessions = createSessions({
    store,
    seal: createSeal('s'.repeat(32)),
    limits: HOUR_LIMITS,
    now: Date.now,
  })
  return {
    database,
    sessions,
    holdProving: () => store.proofs.holdProving(),
    problems,
    isIn: async (token) => (await sessions.find(sessionKeyOf(token), { touch: false })) !== null,
    async [Symbol.asyncDispose]() {
      await store.close()
      await database.close()
    },
  }
}

async function signIn({ sessions }: Gate, sub = 'uid'): Promise<string> {
  const identity = { ...PLAIN, sub, email: `${sub}@example.co.jp`, name: null }
  const spent = { digest: crypto.randomUUID(), expiresAtMs: Date.now() + HOUR_MS }
  const started = await sessions.start({ identity, refreshToken: 'r', spent, device: '', address: '' })
  if (started.kind !== 'started') throw new Error(started.kind)
  return started.token
}

describe.skipIf(superuserUrl === null)('the schema', () => {
  let made: TestDatabase
  beforeEach(async () => {
    made = await createTestDatabase(superuserUrl ?? '')
  })

  it('is made once by two who migrate at the same moment, and again does no harm', async () => {
    const both = await Promise.all([migrateDatabase(made.ownerUrl), migrateDatabase(made.ownerUrl)])
    expect(both.map(({ from, to }) => to - from).sort()).toEqual([0, both[0].to])
    expect(await migrateDatabase(made.ownerUrl)).toEqual({ from: both[0].to, to: both[0].to })
  })

  it('is refused by a gate when it is missing, not granted, or newer than the software', async () => {
    const verdict = async () => {
      const database = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
      return assertMigrated(database).finally(() => database.close())
    }
    await expect(verdict()).rejects.toThrow(/no schema that this role may use; run: sekisho migrate --grant/)
    await migrateDatabase(made.ownerUrl)
    await expect(verdict()).rejects.toThrow(/no schema that this role may use/)
    await migrateDatabase(made.ownerUrl, { gate: roleOf(made.gateUrl) })
    await expect(verdict()).resolves.toBeNull()
    await made.run('INSERT INTO sekisho.migrations (version) VALUES (999)')
    await expect(verdict()).rejects.toThrow(/version 999, made by a newer sekisho/)
    await expect(migrateDatabase(made.ownerUrl)).rejects.toThrow(/newer sekisho/)
  })

  it('of the next version is one that a gate of this version may be restarted on, and of no other', async () => {
    const { to } = await migrateDatabase(made.ownerUrl, { gate: roleOf(made.gateUrl) })
    const next = (version: number, reader: number) =>
      made.run(`INSERT INTO sekisho.migrations (version, oldest_reader) VALUES (${version}, ${reader})`)
    const verdict = async () => {
      const database = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
      return assertMigrated(database).finally(() => database.close())
    }
    await next(to + 1, to)
    await expect(verdict()).resolves.toContain(`version ${to + 1}`)
    await next(to + 2, to + 1)
    await expect(verdict()).rejects.toThrow(/made by a newer sekisho/)
    await made.run(`DELETE FROM sekisho.migrations WHERE version > ${to}`)
    await next(to + 1, to + 1)
    await expect(verdict()).rejects.toThrow(/made by a newer sekisho/)
  })

  it.each([
    ['frees an address', 'DELETE FROM sekisho.accounts'],
    ['binds an address to another account', "UPDATE sekisho.accounts SET sub = 'x'"],
    ['changes whose session one is', "UPDATE sekisho.sessions SET sub = 'x'"],
    ['moves a session to another context', 'UPDATE sekisho.sessions SET context = 1'],
    ['silences the notifications', 'ALTER TABLE sekisho.sessions DISABLE TRIGGER ALL'],
    ['removes a line of the trail', 'DELETE FROM sekisho.audit_lines'],
    ['changes a line of the trail', "UPDATE sekisho.audit_lines SET line = ''"],
    ['takes a signed head away', 'DELETE FROM sekisho.audit_heads'],
    ['says that lines were removed', "INSERT INTO sekisho.audit_removals VALUES ('gate-1', '')"],
    ['changes the schema', 'CREATE TABLE sekisho.x ()'],
    ['claims another version', 'INSERT INTO sekisho.migrations (version) VALUES (999)'],
  ])("no gate's role %s", async (_row, sql) => {
    await migrateDatabase(made.ownerUrl, { gate: roleOf(made.gateUrl) })
    const database = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
    await expect(database.query(sql)).rejects.toThrow(/42501/)
    await database.close()
  })

  it('tells nothing of the URL when it cannot be reached', async () => {
    const url = made.gateUrl.replace('only-for-tests', 'wrong-password')
    await expect(openDatabase({ url, onProblem: () => {} })).rejects.toThrow(/^(?!.*wrong-password).*28P01/)
    const nobody = 'postgres://gate:secret@127.0.0.1:1/x'
    await expect(openDatabase({ url: nobody, onProblem: () => {} })).rejects.toThrow(
      /^(?!.*secret).*ECONNREFUSED/,
    )
  })
})

describe.skipIf(superuserUrl === null)('two gates on one database', () => {
  let made: TestDatabase
  let first: Gate
  let second: Gate
  beforeEach(async () => {
    made = await createMigratedDatabase(superuserUrl ?? '')
    first = await openGate(made.gateUrl)
    second = await openGate(made.gateUrl)
  })
  afterEach(async () => {
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()
  })

  it('take no row for a session that their own role put there, copied from another', async () => {
    const [victim, own, unknown] = [await signIn(first, 'victim'), await signIn(first, 'own'), 'x'.repeat(43)]
    const thief = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
    const copy = (token: string, id: string) =>
      thief.query(
        `INSERT INTO sekisho.sessions SELECT (jsonb_populate_record(s, jsonb_build_object('key', $1::text, 'id', $2::text))).*
         FROM sekisho.sessions s WHERE sub = 'victim' LIMIT 1`,
        [sessionKeyOf(token), id],
      )
    await copy(unknown, 'new')
    await thief.query("DELETE FROM sekisho.sessions WHERE sub = 'own'")
    await copy(own, 'in its place')
    await thief.query(
      `UPDATE sekisho.sessions SET vouched = '["address","all","role:editors"]' WHERE key = $1`,
      [sessionKeyOf(victim)],
    )
    await new Promise((resolve) => setTimeout(resolve, 1_100)) // nothing is answered from memory for longer
    for (const token of [unknown, own, victim]) expect(await second.isIn(token)).toBe(false)
    await thief.close()
  })

  it('49 know a session of either, and a sign-out at one counts at the other within a second', async () => {
    const token = await signIn(first)
    expect([await first.isIn(token), await second.isIn(token)]).toEqual([true, true])
    await first.sessions.signOut(sessionKeyOf(token), 'one')
    const endedAtMs = performance.now()
    await vi.waitFor(async () => expect(await second.isIn(token)).toBe(false), {
      timeout: 1_000,
      interval: 5,
    })
    expect(performance.now() - endedAtMs).toBeLessThan(1_000)
  })

  it('49 hear of what is deleted by hand, one row or all', async () => {
    const tokens = [await signIn(first, 'a'), await signIn(first, 'b'), await signIn(first, 'c')]
    const areIn = () => Promise.all(tokens.map(second.isIn))
    expect(await areIn()).toEqual([true, true, true])
    await made.run("DELETE FROM sekisho.sessions WHERE sub = 'a'")
    await vi.waitFor(async () => expect(await areIn()).toEqual([false, true, true]), { timeout: 1_000 })
    await made.run('TRUNCATE sekisho.sessions CASCADE')
    await vi.waitFor(async () => expect(await areIn()).toEqual([false, false, false]), { timeout: 1_000 })
  })

  it('answer from memory for a second at most, even without a notification', async () => {
    const token = await signIn(first)
    expect(second.sessions.find(sessionKeyOf(token), { touch: false })).toBeInstanceOf(Promise)
    await second.isIn(token)
    expect(second.sessions.find(sessionKeyOf(token), { touch: false })).not.toBeInstanceOf(Promise)
    await made.run(
      'ALTER TABLE sekisho.sessions DISABLE TRIGGER tell_ended; DELETE FROM sekisho.sessions; ALTER TABLE sekisho.sessions ENABLE TRIGGER tell_ended',
    )
    await vi.waitFor(async () => expect(await second.isIn(token)).toBe(false), { timeout: 1_500 })
  })

  it('76 ask for each request while they are deaf, and hear again by themselves', async () => {
    const token = await signIn(first)
    await first.isIn(token)
    await made.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sekisho listening' AND datname = current_database()",
    )
    await vi.waitFor(() => expect(first.database.hears()).toBe(false), { timeout: 1_000, interval: 1 })
    expect(first.sessions.find(sessionKeyOf(token), { touch: false })).toBeInstanceOf(Promise)
    expect(await first.isIn(token)).toBe(true)
    await vi.waitFor(() => expect(first.database.hears()).toBe(true), { timeout: 5_000 })
    expect(first.problems).toEqual(['the listening connection was lost', 'the listening connection is back'])
  })

  it('prove one at a time, and the next takes over when a lease ends', async () => {
    expect([await first.holdProving(), await second.holdProving()]).toEqual([true, false])
    await made.run("UPDATE sekisho.leases SET expires_at = now() - interval '1 s'") // as if the first had been killed
    await using third = await openGate(made.gateUrl)
    expect(await third.holdProving()).toBe(true)
    await using fourth = await openGate(made.gateUrl)
    expect(await fourth.holdProving()).toBe(false)
  })

  it('76 refuse, and go on, when a connection ends in the middle of a transaction', async () => {
    const broken = first.database.transaction(async (ask) => {
      const [row] = await ask('SELECT pg_backend_pid() AS pid')
      await made.run(`SELECT pg_terminate_backend(${Number(row?.pid)})`)
      await new Promise((resolve) => setTimeout(resolve, 200)) // nothing is asked when the news arrives
      return ask('SELECT 1')
    })
    await expect(broken).rejects.toBeInstanceOf(UnavailableError)
    await vi.waitFor(() => first.database.query('SELECT 1'), { timeout: 5_000 })
  })

  it('76 refuse to judge times while their clock differs from the database by more than half a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 60_000 })
    try {
      const database = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
      await expect(database.query('SELECT 1')).rejects.toThrow(/this clock is 180 s ahead/)
      await database.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe.skipIf(superuserUrl === null)('a database that is away', () => {
  it('76 closes the gate at once, and opens it again when it is back', async () => {
    const server: PostgresServer | null = await startPostgres()
    if (server === null) return
    await using running = server
    const made = await createMigratedDatabase(running.urlOf('postgres', 'postgres'))
    await using gate = await openGate(made.gateUrl)
    const token = await signIn(gate)
    await running.stop()
    await vi.waitFor(() => expect(gate.database.hears()).toBe(false), { timeout: 1_000, interval: 1 })
    for (let n = 0; n < 20; n += 1) {
      await expect(gate.isIn(token)).rejects.toThrow(UnavailableError)
      await expect(gate.sessions.signOut(sessionKeyOf('A'), 'one')).rejects.toThrow(UnavailableError)
    }
    await running.start()
    await vi.waitFor(async () => expect(await gate.isIn(token)).toBe(true), { timeout: 5_000, interval: 50 })
    await vi.waitFor(() => expect(gate.database.hears()).toBe(true), { timeout: 5_000 })
  })

  it('76 that is cut off without a word is given up in time, for those who ask and those who sign out', async () => {
    const made = await createMigratedDatabase(superuserUrl ?? '')
    const target = new URL(made.gateUrl)
    const { port, hostname } = target
    const sockets: Socket[] = []
    const proxy = createServer((socket) => {
      const onward = connect(Number(port), hostname)
      for (const one of [socket, onward]) sockets.push(one.on('error', () => {}))
      socket.pipe(onward).pipe(socket)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => proxy.once('listening', resolve))
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    target.port = String(address.port)
    const gate = await openGate(target.href)
    const token = await signIn(gate)
    for (const socket of sockets) {
      socket.unpipe()
      socket.pause()
    }
    const startedAtMs = performance.now()
    await vi.waitFor(() => expect(gate.isIn(token)).rejects.toThrow(UnavailableError), { timeout: 6_000 })
    expect(performance.now() - startedAtMs).toBeLessThan(6_000)
    const deaf = 'the listening connection does not answer'
    await vi.waitFor(() => expect(gate.problems).toContain(deaf), { timeout: 8_000 })
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await gate[Symbol.asyncDispose]()
  })
})
