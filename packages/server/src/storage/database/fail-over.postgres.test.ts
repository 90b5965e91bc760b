import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { deriveAuditKey } from '../../audit/chain/audit-key.ts'
import { openPostgresAudit, readPostgresAudit } from '../../audit/postgres/postgres-audit.ts'
import { verifyAudit } from '../../audit/reading/audit-verify.ts'
import { openAuditTrail } from '../../audit/writing/audit-trail.ts'
import type { LostLines } from '../../audit/writing/lost-end.ts'
import { createPostgresSessions, readContextId } from '../../state/sessions/postgres/postgres-sessions.ts'
import type { LostWrites } from '../../state/sessions/postgres/recent-writes.ts'
import { createSeal } from '../../state/sessions/rows/seal.ts'
import { sessionKeyOf } from '../../state/sessions/rows/session-key.ts'
import { createSessions } from '../../state/sessions/sessions.ts'
import { type PostgresServer, startPostgres } from '../../state/testing/postgres/postgres-server.ts'
import { createMigratedDatabase } from '../../state/testing/postgres/test-database.ts'
import { HOUR_LIMITS, HOUR_MS, PLAIN } from '../../state/testing/test-sessions.ts'
import { type Database, openDatabase } from './database.ts'

const hasPostgres = inject('postgresUrl') !== null
const KEY = deriveAuditKey('s'.repeat(32))
const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }

interface Chain {
  readonly trail: Awaited<ReturnType<typeof openAuditTrail>>
  readonly lost: LostLines[]
  readonly failures: string[]
}

async function openChain(database: Database, chain: string): Promise<Chain> {
  const lost: LostLines[] = []
  const failures: string[] = []
  const trail = await openAuditTrail({
    ...{ chain, key: KEY, now: Date.now, onRestored: (lines) => lost.push(lines) },
    store: await openPostgresAudit(database, chain, { mayRemove: false }),
    onFailure: (error) => failures.push(String(error)),
  })
  return { trail, lost, failures }
}

async function openGate(url: string) {
  const lost: LostWrites[] = []
  const database = await openDatabase({ url, onProblem: () => {} })
  const context = await readContextId(database, CONTEXT)
  const { recent: _recent, ...store } = createPostgresSessions(database, context, (one) => lost.push(one))
  const sessions = createSessions({
    store,
    seal: createSeal('s'.repeat(32)),
    limits: HOUR_LIMITS,
    now: Date.now,
  })
  return {
    ...{ lost, store, sessions },
    isIn: async (token: string) => (await sessions.find(sessionKeyOf(token), { touch: false })) !== null,
    start: (email: string, sub: string, digest: string) =>
      sessions.start({
        identity: { ...PLAIN, sub, email, name: null },
        ...{
          refreshToken: 'r',
          spent: { digest, expiresAtMs: Date.now() + HOUR_MS },
          device: '',
          address: '',
        },
      }),
    async [Symbol.asyncDispose]() {
      await store.close()
      await database.close()
    },
  }
}

describe.skipIf(!hasPostgres)('a fail-over that loses the last seconds', () => {
  let server: PostgresServer
  let url: string
  let run: (sql: string) => Promise<readonly Record<string, unknown>[]>
  beforeAll(async () => {
    const started = await startPostgres()
    if (started === null) throw new Error('PostgreSQL was there a moment ago')
    server = started
  })
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(async () => {
    const made = await createMigratedDatabase(server.urlOf('postgres', 'postgres'))
    url = made.gateUrl
    run = made.run
  })
  const open = (problems: string[] = []) => openDatabase({ url, onProblem: (one) => problems.push(one) })
  const records = async (chain: string) => {
    const rows = await run(`SELECT line FROM sekisho.audit_lines WHERE chain = '${chain}' ORDER BY seq`)
    return rows.map(({ line }) => JSON.parse(String(line)))
  }
  const verify = (database: Database, heads: readonly string[] = []) =>
    verifyAudit(readPostgresAudit(database), { publicKey: KEY.publicKey, heads })
  const recordUntilTaken = (chain: Chain, path: string) =>
    vi.waitFor(() => chain.trail.recordDurably('signed_in', { path }), { timeout: 10_000, interval: 50 })

  it('has the lines that were lost written again, marked, and the chain goes on by itself', async () => {
    await using cleanup = new AsyncDisposableStack()
    const before = cleanup.adopt(await open(), (it) => it.close())
    const chain = await openChain(before, 'gate-a')
    await chain.trail.recordDurably('signed_in', { path: '/kept' })
    await chain.trail.close()
    await server.keepStandby()

    const problems: string[] = []
    const database = cleanup.adopt(await open(problems), (it) => it.close())
    const again = await openChain(database, 'gate-a')
    const other = await openChain(database, 'gate-b')
    await again.trail.recordDurably('signed_in', { path: '/lost', name: '関所\n\u202e' })
    await again.trail.recordDurably('signed_out', { path: '/lost too' })
    const lostHead = again.trail.head()
    await again.trail.flush()
    other.trail.record('head_noted', { chain: 'gate-a', line: lostHead.seq, head: lostHead.hash })
    await server.failOver()
    await recordUntilTaken(again, '/after')
    await recordUntilTaken(other, '/of the other')

    const found = await records('gate-a')
    expect(found.map(({ seq, event, path, again }) => [seq, event, path, again])).toEqual([
      [1, 'signed_in', '/kept', undefined],
      [2, 'gate_stopped', undefined, undefined],
      [3, 'lines_missing', undefined, undefined],
      [4, 'signed_in', '/lost', [3]],
      [5, 'signed_out', '/lost too', [4]],
      [6, 'signed_in', '/after', undefined],
    ])
    expect(found[2]).toMatchObject({ from: 3, through: 4, head: lostHead.hash, rewritten: 2 })
    expect(again.lost).toEqual([{ from: 3, through: 4 }])
    expect(again.trail.health()).toMatchObject({ state: 'restored', restored: 2 })
    expect(problems).toContain('another server answers: it was restarted, or another one took its place')
    for (const { trail } of [again, other]) await trail.close()
    const verdict = await verify(database, [lostHead.hash])
    expect(verdict.problems).toEqual([])
    expect(verdict.chains.map(({ chain, rewritten }) => [chain, rewritten])).toEqual([
      ['gate-a', 2],
      ['gate-b', 0],
    ])
  })

  it('ends sessions again whose ends were lost, and no gate answers one of them in between', async () => {
    await using cleanup = new AsyncDisposableStack()
    const tokens: string[] = []
    {
      await using early = await openGate(url)
      for (const name of ['stays', 'signs-out', 'is-revoked']) {
        const started = await early.start(`${name}@example.co.jp`, name, `token of ${name}`)
        if (started.kind === 'started') tokens.push(started.token)
      }
    }
    const [staying = '', leaving = '', revoked = ''] = tokens
    await server.keepStandby()
    const [here, there] = [cleanup.use(await openGate(url)), cleanup.use(await openGate(url))]
    expect(await Promise.all(tokens.map(there.isIn))).toEqual([true, true, true])
    const started = await here.start('new@example.co.jp', 'new', 'token of new')
    await here.sessions.signOut(sessionKeyOf(leaving), 'one')
    await here.store.operators.revoke({ email: 'is-revoked@example.co.jp' }, Date.now())
    await here.sessions.synchronise()
    await vi.waitFor(async () => expect(await there.isIn(revoked)).toBe(false), { timeout: 2_000 })

    await server.failOver()
    let answers = 0
    await vi.waitFor(
      async () => {
        for (const { isIn } of [here, there]) {
          for (const token of [leaving, revoked]) {
            const isIn_ = await isIn(token).catch(() => null) // refused: closed is right
            expect.soft(isIn_).not.toBe(true)
            if (isIn_ === false) answers += 1
          }
        }
        for (const { isIn } of [here, there]) expect(await isIn(staying)).toBe(true)
      },
      { timeout: 10_000, interval: 1 },
    )
    expect(answers).toBeGreaterThan(0)
    expect(await here.isIn(started.kind === 'started' ? started.token : '')).toBe(false)
    const rows = await run('SELECT email FROM sekisho.sessions')
    expect(rows).toEqual([{ email: 'stays@example.co.jp' }])
    const lost = [...here.lost, ...there.lost]
    expect(lost.reduce((sum, { ends }) => sum + ends, 0)).toBe(2)
    expect(here.lost.reduce((sum, { signIns }) => sum + signIns, 0)).toBe(1)
    const recorded = [...(await here.sessions.synchronise()), ...(await there.sessions.synchronise())]
    expect(recorded.map(({ email, by }) => [email, by]).sort()).toEqual([
      ['is-revoked@example.co.jp', 'fail-over'],
      ['signs-out@example.co.jp', 'fail-over'],
    ])
  })

  it('refuses a session that ended, whatever the database says of it', async () => {
    await using here = await openGate(url)
    await using there = await openGate(url)
    const started = await here.start('a@example.co.jp', 'a', 'token of a')
    if (started.kind !== 'started') throw new Error(started.kind)
    await run('CREATE TABLE public.copy AS SELECT * FROM sekisho.sessions')
    expect(await there.isIn(started.token)).toBe(true)
    await here.sessions.signOut(sessionKeyOf(started.token), 'one')
    await vi.waitFor(async () => expect(await there.isIn(started.token)).toBe(false), { timeout: 2_000 })
    await run('INSERT INTO sekisho.sessions SELECT * FROM public.copy')
    expect([await here.isIn(started.token), await there.isIn(started.token)]).toEqual([false, false])
  })

  it('keeps tokens spent, addresses bound and proofs made that were lost', async () => {
    await using cleanup = new AsyncDisposableStack()
    const early = await openGate(url)
    const before = await early.start('proven@example.co.jp', 'proven', 'token of proven')
    if (before.kind !== 'started') throw new Error(before.kind)
    await early[Symbol.asyncDispose]()
    await server.keepStandby()
    const [here, there] = [cleanup.use(await openGate(url)), cleanup.use(await openGate(url))]
    expect((await here.start('owner@example.co.jp', 'owner', 'used')).kind).toBe('started')
    const row = await here.store.sessions.find(sessionKeyOf(before.token))
    if (row === null) throw new Error('no session')
    const vouched = { ...row.vouched, groups: ['narrower'] }
    await new Promise((resolve) => setTimeout(resolve, 2)) // a proof is later than the one it follows
    for (const token of ['r2', 'r3']) {
      const current = await here.store.sessions.find(row.key)
      if (current === null) throw new Error('no session')
      here.sessions.markProven(current, token, { vouched })
      await here.sessions.synchronise()
    }

    await server.failOver()
    await vi.waitFor(() => here.isIn(before.token), { timeout: 10_000 })
    await vi.waitFor(
      async () => expect((await there.start('x@example.co.jp', 'x', 'used')).kind).toBe('replayed'),
      { timeout: 10_000 },
    )
    expect((await there.start('owner@example.co.jp', 'thief', 'fresh')).kind).toBe('account_changed')
    const proven = await there.store.sessions.find(row.key)
    expect(proven?.vouched.groups).toEqual(['narrower'])
    expect(proven === null ? null : there.sessions.refreshTokenOf(proven)).toBe('r3')
  })

  it('has a gate stay closed where lines are taken away without another server, or the end is none of its own', async () => {
    await using cleanup = new AsyncDisposableStack()
    const database = cleanup.adopt(await open(), (it) => it.close())
    const chain = await openChain(database, 'gate-a')
    await chain.trail.recordDurably('signed_in', { path: '/a' })
    await chain.trail.recordDurably('signed_in', { path: '/b' })
    await run('DELETE FROM sekisho.audit_lines WHERE seq = 2')
    chain.trail.record('signed_out', { path: '/c' })
    await chain.trail.flush()
    expect(chain.failures[0]).toContain('was cut, or is written by somebody else')
    expect(await records('gate-a')).toHaveLength(1)

    await run("UPDATE sekisho.audit_lines SET hash = repeat('0', 64)")
    await server.stop()
    await server.start()
    await vi.waitFor(() => database.query('SELECT 1'), { timeout: 10_000 })
    await chain.trail.flush()
    expect(await records('gate-a')).toHaveLength(1)
    expect(chain.trail.health()).toMatchObject({ state: 'failing', waiting: 1 })
  })
})
