import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { verifyFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { createSeal, createSessions, type SessionStore } from '@sekisho/server/sessions'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { LIMITS } from '@sekisho/server/state/testing'
import { createTestGate, ORIGIN } from '@sekisho/server/testing'
import { fillTemplate, findHeader, type HeaderLine, RAW_ROWS, type WireOutcome } from '@sekisho/verify'
import { afterAll, describe, expect, it } from 'vitest'
import { listenFixtureGate } from '../support/fixture-gate.ts'
import { signInWith, startKillableGate } from '../support/start-killable-gate.ts'

const NOW_MS = Date.parse('2026-11-21T00:00:00Z')

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'sekisho-faults-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

describe('a session store that fails', () => {
  /** The store, whose writes fail while `isBroken` says so. */
  function breakable(
    store: SessionStore,
    [message, errcode]: readonly [string, number],
    isBroken: () => boolean,
  ): SessionStore {
    const failing =
      <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
      async (...args: Args) => {
        if (isBroken()) throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
        return write(...args)
      }
    const { sessions, proofs, ends } = store
    return {
      ...store,
      sessions: { ...sessions, insert: failing(sessions.insert), markSeen: failing(sessions.markSeen) },
      proofs: { ...proofs, markProven: failing(proofs.markProven) },
      ends: { ...ends, remove: failing(ends.remove) },
    }
  }

  it.each([
    ['is locked', 'database is locked', 5],
    ['is read-only', 'attempt to write a readonly database', 8],
    ['is on a full disk', 'database or disk is full', 13],
    ['is corrupt', 'database disk image is malformed', 11],
  ])(
    'and %s lets nobody new in, gives no detail, and keeps serving those inside',
    async (_row, message, errcode) => {
      await using folder = await temporaryFolder()
      const real = openSqliteSessions(join(folder.path, 'sessions.db'), { context: null })
      let broken = false
      const store = breakable(real, [message, errcode], () => broken)
      let nowMs = NOW_MS
      const now = () => nowMs
      const sessions = createSessions({ store, seal: createSeal('s'.repeat(32)), limits: LIMITS, now })
      await using portal = await createTestGate({ sessions })
      const cookie = await portal.signIn()
      broken = true
      const refused = await portal.postSession(await portal.issuer.sign({ jti: '2' }))
      expect(refused.status).toBe(503)
      expect(refused.headers.getSetCookie()).toEqual([])
      expect(await refused.text()).not.toContain('database')
      for (let minute = 0; minute < 5; minute += 1) {
        nowMs += 60_000 // last uses want to be written, and are not
        expect((await portal.ask('/docs/guide', { headers: { Cookie: cookie } })).status).toBe(200)
        await expect(sessions.synchronise()).rejects.toThrow(message)
      }
      broken = false
      expect((await portal.postSession(await portal.issuer.sign({ jti: '3' }))).status).toBe(204)
      await real.close()
    },
  )

  it('really locked by another process behaves the same', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'sessions.db')
    const store = openSqliteSessions(file, { context: null })
    const sessions = createSessions({
      store,
      seal: createSeal('s'.repeat(32)),
      limits: LIMITS,
      now: () => NOW_MS,
    })
    await using portal = await createTestGate({ sessions })
    const cookie = await portal.signIn()
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    // Answered although the lock is held for as long as this test wants.
    expect((await portal.postSession(await portal.issuer.sign({ jti: '2' }))).status).toBe(503)
    expect((await portal.ask('/docs/guide', { headers: { Cookie: cookie } })).status).toBe(200)
    other.exec('ROLLBACK')
    other.close()
    expect((await portal.postSession(await portal.issuer.sign({ jti: '3' }))).status).toBe(204)
    await store.close()
  })

  it('that is no database is refused at start', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'sessions.db')
    await writeFile(file, 'this is not a database, and long enough to be read as one'.repeat(100))
    expect(() => openSqliteSessions(file, { context: null })).toThrow(/not a database/)
  })
})

describe('a gate killed under load', () => {
  it('keeps every session it promised, and a whole audit trail', async () => {
    await using folder = await temporaryFolder()
    const first = await startKillable(folder.path, 'first', 60)
    const promised: string[] = []
    const answered = first.tokens.map(async (token) => {
      const outcome = await first.client.exchange(signInWith(token)).catch(() => null)
      if (outcome?.kind === 'response' && outcome.response.status === 204) promised.push(cookieOf(outcome))
      if (promised.length === 15) first.child.kill('SIGKILL')
    })
    await Promise.all([once(first.child, 'exit'), ...answered])
    expect(promised.length).toBeGreaterThanOrEqual(15)

    const second = await startKillable(folder.path, 'second', 0)
    for (const cookie of promised) {
      const outcome = await second.client.exchange({
        method: 'GET',
        target: '/docs/guide',
        headers: [['Cookie', cookie]],
      })
      expect(outcome.kind === 'response' && outcome.response.status).toBe(200)
    }
    second.child.kill('SIGKILL')
    await once(second.child, 'exit')
    const db = new DatabaseSync(join(folder.path, 'sessions.db'))
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    db.close()
    const third = await startKillable(folder.path, 'third', 0) // repairs a line cut short
    third.child.kill('SIGKILL')
    await once(third.child, 'exit')
    expect(await verifyFolderTrail(dataFolderAt(folder.path))).toMatchObject({ ok: true })
  })
})

describe('hostile connections', async () => {
  const gate = await listenFixtureGate()
  const cookie = await gate.signIn()
  afterAll(() => gate[Symbol.asyncDispose]())
  const read = () =>
    gate.client.exchange({ method: 'GET', target: '/docs/secret', headers: [['Cookie', cookie]] })

  it('reset at any moment of any hostile request leave the gate running', async () => {
    const subject = { path: '/docs/secret', host: ORIGIN.host, sha256: '0' }
    for (const row of RAW_ROWS) {
      const bytes = Buffer.from(fillTemplate(row.bytes, subject), 'latin1')
      await Promise.all([0, 1, 5].map((afterMs) => writeAndReset(gate.port, bytes, afterMs)))
    }
    const outcome = await read()
    expect(outcome.kind === 'response' && outcome.response.status).toBe(200)
  })

  it('end when an answer breaks off behind another one, instead of hanging', async () => {
    gate.replace(async (request, peer) => {
      if (new URL(request.url).pathname === '/breaks-off') throw new Error('half an answer')
      await new Promise((resolve) => setTimeout(resolve, 100))
      return gate.test.gate(request, peer)
    })
    const one = (target: string) => `GET ${target} HTTP/1.1\r\nHost: ${ORIGIN.host}\r\n\r\n`
    const outcomes = await gate.client.exchangeBytes(Buffer.from(one('/docs/secret') + one('/breaks-off')), 2)
    gate.replace(gate.test.gate)
    expect(outcomes.at(-1)?.kind).toBe('closed')
  })

  it('600 slow ones, more than there is room for and with all the time in the world, leave a reader served', async () => {
    const hourMs = 3_600_000
    const patient = { maxConnections: 200, headersTimeoutMs: hourMs, silenceTimeoutMs: hourMs }
    await using crowded = await listenFixtureGate({}, { ...patient, requestTimeoutMs: hourMs })
    const headers: HeaderLine[] = [['Cookie', await crowded.signIn()]]
    const sockets = Array.from({ length: 600 }, (_, index) => {
      const socket = connect(crowded.port, '127.0.0.1').on('error', () => {})
      socket.once('connect', () =>
        socket.write(`GET /docs/secret HTTP/1.1\r\nHost: ${ORIGIN.host}\r\nX-${index}: `),
      )
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const outcome = await crowded.client.exchange({ method: 'GET', target: '/docs/secret', headers })
    expect(outcome.kind === 'response' && outcome.response.status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
})

function writeAndReset(port: number, bytes: Buffer, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.once('close', () => resolve())
    socket.once('connect', () => {
      socket.write(bytes)
      setTimeout(() => socket.resetAndDestroy(), afterMs)
    })
  })
}

/** Remains of a killed process are removed with the folder. */
const startKillable = (data: string, name: string, people: number) =>
  startKillableGate({ data, name, people, env: { TMPDIR: data } })

function cookieOf(outcome: WireOutcome): string {
  const line = outcome.kind === 'response' ? findHeader(outcome.response.headers, 'set-cookie') : null
  return line?.split(';')[0] ?? ''
}
