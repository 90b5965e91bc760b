import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Revalidation } from '../identity/provider.ts'
import { createMetrics } from '../kernel/monitoring/metrics.ts'
import { createGrants } from '../state/grants/index.ts'
import type { SessionStore } from '../state/sessions/index.ts'
import { createChangingSeal, createSessions, type Sessions, sessionKeyOf } from '../state/sessions/index.ts'
import { openSqliteSessions } from '../state/sessions/sqlite/sqlite-sessions.ts'
import { LIMITS, PLAIN, writeManySessions } from '../state/testing/index.ts'
import { startMaintenance } from './maintenance.ts'

const MINUTE = 60_000
const ALICE = { ...PLAIN, sub: 'uid-a', email: 'a@example.co.jp', name: null }

let folder: string
let store: SessionStore
let sessions: Sessions
let stop: () => void
let records: Record<string, unknown>[]
let log: string[]
let forgetting: () => void
let answer: Revalidation | ((refreshToken: string) => Revalidation | Promise<Revalidation>)
const SEAL = createChangingSeal({ current: 's'.repeat(32), previous: null })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T00:00:00Z') })
  folder = mkdtempSync(join(tmpdir(), 'sekisho-maintenance-'))
  store = openSqliteSessions(join(folder, 'sessions.db'), { context: null })
  sessions = createSessions({ store, seal: SEAL, limits: LIMITS, now: Date.now })
  records = []
  log = []
  forgetting = () => {}
  answer = { kind: 'proven', identity: ALICE, refreshToken: 'r' }
  stop = begin()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  store.close()
  rmSync(folder, { recursive: true })
})

function begin(): () => void {
  return startMaintenance({
    sessions,
    grants: createGrants({ store: store.grants, seal: SEAL, now: Date.now }),
    store,
    ...{
      seal: SEAL,
      hasPreviousSecret: false,
      sendNotices: null,
      writeReaders: null,
      agreeOnSecret: async () => 'current' as const,
    },
    publishers: { forgetSpent: async () => forgetting() },
    identity: {
      revalidate: async (token) => (typeof answer === 'function' ? answer(token) : answer),
    },
    revalidationIntervalMs: LIMITS.revalidationIntervalMs,
    audit: {
      record: (event, fields) => void records.push({ event, ...fields }),
      head: () => ({ seq: 7, hash: 'c0ffee' }),
      tend: async (keepMs) => void log.push(`kept ${keepMs}`),
    },
    log: (level, event, fields) =>
      void log.push(`${level} ${event}${event === 'audit_head' ? ` ${JSON.stringify(fields)}` : ''}`),
    metrics: createMetrics(),
    auditKeepMs: 365 * 86_400_000,
    now: Date.now,
  })
}

let counter = 0
async function signIn(): Promise<string> {
  counter += 1
  const spent = { digest: `digest-${counter}`, expiresAtMs: Date.now() + MINUTE }
  const started = await sessions.start({ identity: ALICE, refreshToken: 'r', spent, device: '', address: '' })
  if (started.kind !== 'started') throw new Error(started.kind)
  return started.token
}
const isIn = async (token: string) => (await sessions.find(sessionKeyOf(token), { touch: true })) !== null

/** Minutes in which the reader goes on reading. */
async function read(token: string, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await vi.advanceTimersByTimeAsync(MINUTE)
    await isIn(token)
  }
}

/** An answer about the account that a token of `writeManySessions` belongs to. */
function provenFor(refreshToken: string): Revalidation {
  const n = refreshToken.replace('refresh-', '')
  const identity = { ...PLAIN, sub: `uid-${n}`, email: `p${n}@example.co.jp`, name: null }
  return { kind: 'proven', identity, refreshToken }
}

describe('proving accounts again', () => {
  const MANY = 10_000
  const writeMany = (count: number, from = 0) =>
    writeManySessions(join(folder, 'sessions.db'), count, { seal: SEAL, atMs: Date.now(), from })

  it.each(['unclear', 'unavailable'] as const)(
    '49 is not held up by sessions whose odd token is always answered %s',
    async (kind) => {
      writeMany(50)
      await vi.advanceTimersByTimeAsync(1_000) // the gate knows these first
      writeMany(50, 50)
      const isOdd = (token: string) => Number(token.replace('refresh-', '')) < 50
      answer = (token) => (isOdd(token) ? { kind, reason: 'status 400' } : provenFor(token))
      await vi.advanceTimersByTimeAsync(4 * MINUTE)
      answer = (token) =>
        isOdd(token)
          ? { kind, reason: 'status 400' }
          : { kind: 'gone', about: 'account', reason: 'USER_DISABLED' }
      await vi.advanceTimersByTimeAsync((3 * LIMITS.revalidationIntervalMs) / 2)
      expect(sessions.size).toBe(50) // the odd ones, which nobody vouches for: over once their grace is
    },
  )

  it('asks about an odd token less and less often, down to once an interval', async () => {
    writeMany(1)
    const askedAtMs: number[] = []
    answer = () => {
      askedAtMs.push(Date.now())
      return { kind: 'unclear', reason: 'status 400' }
    }
    await vi.advanceTimersByTimeAsync(34 * MINUTE)
    const gaps = askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0))
    expect(gaps.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000])
    expect(gaps.slice(4).every((gap) => gap === LIMITS.revalidationIntervalMs)).toBe(true)
  })

  it('costs an outage a few calls a run, and revalidates all accounts within a minute of its end', async () => {
    writeMany(1_000)
    let asked = 0
    answer = () => {
      asked += 1
      return { kind: 'unavailable', reason: 'TypeError' }
    }
    await vi.advanceTimersByTimeAsync(14 * MINUTE) // ten of them with accounts due
    expect(asked).toBeLessThanOrEqual(41 * 8)
    const proven = new Set<string>()
    answer = (token) => {
      proven.add(token)
      return provenFor(token)
    }
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(proven.size).toBe(1_000)
  })

  it('keeps the interval for 10,000 sessions that are due together, at 150 ms a call', async () => {
    writeMany(MANY)
    const provenAtMs = new Map<string, number>()
    let longestMs = 0
    let open = 0
    let mostOpen = 0
    const startedAtMs = Date.now()
    answer = async (token) => {
      open += 1
      mostOpen = Math.max(mostOpen, open)
      await new Promise((resolve) => setTimeout(resolve, 150))
      open -= 1
      longestMs = Math.max(longestMs, Date.now() - (provenAtMs.get(token) ?? startedAtMs))
      provenAtMs.set(token, Date.now())
      return provenFor(token)
    }
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(provenAtMs.size).toBe(MANY)
    expect(longestMs).toBeLessThan(LIMITS.revalidationIntervalMs)
    expect(mostOpen).toBeLessThanOrEqual(64)
    const oldestMs = Date.now() - (sessions.oldestProofAtMs() ?? 0)
    expect(oldestMs).toBeLessThan(LIMITS.revalidationIntervalMs)
  }, 60_000)
})

describe('beside the requests', () => {
  it('49 a disabled account is out within the interval, in every browser, and that is recorded', async () => {
    const tokens = [await signIn(), await signIn()]
    await read(tokens[0] ?? '', 20)
    expect(await Promise.all(tokens.map(isIn))).toEqual([true, true])
    answer = { kind: 'gone', about: 'account', reason: 'USER_DISABLED' }
    await vi.advanceTimersByTimeAsync(LIMITS.revalidationIntervalMs)
    expect(await Promise.all(tokens.map(isIn))).toEqual([false, false])
    const revoked = {
      event: 'session_revoked',
      email: ALICE.email,
      by: 'revalidation',
      reason: 'USER_DISABLED',
    }
    expect(records).toMatchObject([revoked, revoked])
  })

  it('54 an outage is outlived for the grace, said once a run, and over when the service is back', async () => {
    const token = await signIn()
    answer = { kind: 'unavailable', reason: 'status 500' }
    await read(token, 34)
    expect(await isIn(token)).toBe(true)
    expect(log).toContain('warn identity_unavailable')
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    await expect(isIn(token)).rejects.toThrow(/proven/)
    answer = { kind: 'proven', identity: ALICE, refreshToken: 'r' }
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(await isIn(token)).toBe(true)
  })

  it('49 what an operator revokes is over within a second, and recorded', async () => {
    const token = await signIn()
    const other = openSqliteSessions(join(folder, 'sessions.db'), { context: null })
    await other.operators.revoke({ email: ALICE.email }, 0)
    await other.close()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await isIn(token)).toBe(false)
    expect(records).toMatchObject([{ event: 'session_revoked', email: ALICE.email, by: 'operator' }])
  })

  it('76 a deleted store is noticed within a second: nothing is served, and it is reported', async () => {
    const token = await signIn()
    rmSync(join(folder, 'sessions.db'))
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(isIn(token)).rejects.toThrow(/cannot be read/)
    expect(log).toEqual(['error session_store_failed'])
  })

  it('an idle session is over, and recorded', async () => {
    await signIn()
    await vi.advanceTimersByTimeAsync(61 * MINUTE)
    expect(records).toMatchObject([{ event: 'session_expired', email: ALICE.email }])
  })

  it('a session that ran out while no gate ran is over, and recorded, as soon as one does', async () => {
    await signIn()
    stop()
    vi.setSystemTime(Date.now() + 61 * MINUTE)
    sessions = createSessions({ store, seal: SEAL, limits: LIMITS, now: Date.now })
    stop = begin()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(records).toMatchObject([{ event: 'session_expired', email: ALICE.email }])
  })

  it('76 a store that fails is said once, however often it is tried', async () => {
    store.close()
    await vi.advanceTimersByTimeAsync(10_000)
    store = openSqliteSessions(join(folder, 'sessions.db'), { context: null }) // for the end of the test
    expect(log).toEqual(['error session_store_failed'])
  })

  it('76 a store that failed, was back and fails again is said again', async () => {
    for (const isAway of [true, true, false, true]) {
      forgetting = () => {
        if (isAway) throw new Error('away')
      }
      await vi.advanceTimersByTimeAsync(10 * MINUTE)
    }
    expect(log.filter((line) => line === 'error session_store_failed')).toHaveLength(2)
  })

  it('notes the end of the audit trail in the log every hour', async () => {
    await vi.advanceTimersByTimeAsync(125 * MINUTE)
    const notes = log.filter((line) => line.includes('audit_head'))
    expect(notes).toEqual(Array(2).fill('info audit_head {"seq":7,"hash":"c0ffee"}'))
    expect(log.filter((line) => line.startsWith('kept'))).toEqual(Array(2).fill('kept 31536000000'))
  })
})
