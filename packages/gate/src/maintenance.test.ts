import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reproof } from './identity/identity.ts'
import { startMaintenance } from './maintenance.ts'
import { createMetrics } from './observability/metrics.ts'
import { createSeal } from './sessions/seal.ts'
import { sessionKeyOf } from './sessions/session-key.ts'
import { openSessionStore, type SessionStore } from './sessions/session-store.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'

const MINUTE = 60_000
const LIMITS = {
  idleMs: 60 * MINUTE,
  absoluteMs: 600 * MINUTE,
  reproofIntervalMs: 5 * MINUTE,
  reproofGraceMs: 30 * MINUTE,
}
const ALICE = { sub: 'uid-a', email: 'a@example.co.jp', name: null }

let folder: string
let store: SessionStore
let sessions: Sessions
let stop: () => void
let records: Record<string, unknown>[]
let log: string[]
let answer: Reproof

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T00:00:00Z') })
  folder = mkdtempSync(join(tmpdir(), 'sekisho-maintenance-'))
  store = openSessionStore(join(folder, 'sessions.db'))
  sessions = createSessions({ store, seal: createSeal('s'.repeat(32)), limits: LIMITS, now: Date.now })
  records = []
  log = []
  answer = { kind: 'proven', identity: ALICE, refreshToken: 'r' }
  stop = startMaintenance({
    sessions,
    store,
    identity: { verify: async () => ({ ok: false, reason: 'malformed' }), reprove: async () => answer },
    reproofIntervalMs: LIMITS.reproofIntervalMs,
    audit: {
      record: (event, fields) => void records.push({ event, ...fields }),
      recordReading: () => {},
      flush: async () => {},
      head: () => ({ seq: 7, hash: 'c0ffee' }),
    },
    log: (level, event, fields) =>
      void log.push(`${level} ${event}${event === 'audit_head' ? ` ${JSON.stringify(fields)}` : ''}`),
    metrics: createMetrics({ sessions: () => 0 }),
    now: Date.now,
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  store.close()
  rmSync(folder, { recursive: true })
})

let counter = 0
function signIn(): string {
  counter += 1
  const spent = { digest: `digest-${counter}`, expiresAtMs: Date.now() + MINUTE }
  const started = sessions.start({ identity: ALICE, refreshToken: 'r', spent })
  if (started.kind !== 'started') throw new Error(started.kind)
  return started.token
}
const isIn = (token: string) => sessions.find(sessionKeyOf(token), { touch: true }) !== null

/** Minutes in which the reader goes on reading. */
async function read(token: string, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await vi.advanceTimersByTimeAsync(MINUTE)
    isIn(token)
  }
}

describe('beside the requests', () => {
  it('49 a disabled account is out within the interval, in every browser, and that is recorded', async () => {
    const tokens = [signIn(), signIn()]
    await read(tokens[0] ?? '', 20)
    expect(tokens.map(isIn)).toEqual([true, true])
    answer = { kind: 'gone', reason: 'USER_DISABLED' }
    await vi.advanceTimersByTimeAsync(LIMITS.reproofIntervalMs)
    expect(tokens.map(isIn)).toEqual([false, false])
    const revoked = { event: 'session_revoked', email: ALICE.email, by: 'reproof', reason: 'USER_DISABLED' }
    expect(records).toMatchObject([revoked, revoked])
  })

  it('54 an outage is outlived for the grace, said once a run, and over when the service is back', async () => {
    const token = signIn()
    answer = { kind: 'unavailable', reason: 'status 500' }
    await read(token, 34)
    expect(isIn(token)).toBe(true)
    expect(log).toContain('warn identity_unavailable')
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(() => isIn(token)).toThrow(/proven/)
    answer = { kind: 'proven', identity: ALICE, refreshToken: 'r' }
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(isIn(token)).toBe(true)
  })

  it('49 what an operator revokes is over within a second, and recorded', async () => {
    const token = signIn()
    const other = openSessionStore(join(folder, 'sessions.db'))
    other.revoke({ email: ALICE.email })
    other.close()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isIn(token)).toBe(false)
    expect(records).toMatchObject([{ event: 'session_revoked', email: ALICE.email, by: 'operator' }])
  })

  it('an idle session is over, and recorded', async () => {
    signIn()
    await vi.advanceTimersByTimeAsync(61 * MINUTE)
    expect(records).toMatchObject([{ event: 'session_expired', email: ALICE.email }])
  })

  it('76 a store that fails is said once, however often it is tried', async () => {
    store.close()
    await vi.advanceTimersByTimeAsync(10_000)
    store = openSessionStore(join(folder, 'sessions.db')) // for the end of the test
    expect(log).toEqual(['error session_store_failed'])
  })

  it('notes the end of the audit trail in the log every hour', async () => {
    await vi.advanceTimersByTimeAsync(125 * MINUTE)
    const notes = log.filter((line) => line.includes('audit_head'))
    expect(notes).toEqual(Array(2).fill('info audit_head {"seq":7,"hash":"c0ffee"}'))
  })
})
