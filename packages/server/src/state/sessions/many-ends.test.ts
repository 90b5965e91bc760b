import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeManySessions } from '../testing/many-sessions.ts'
import { HOUR_LIMITS } from '../testing/test-sessions.ts'
import { createSeal } from './rows/seal.ts'
import { createSessions } from './sessions.ts'
import { openSqliteSessions } from './sqlite/sqlite-sessions.ts'
import { openSqliteSessionsInThreads } from './sqlite/sqlite-threads.ts'

const MANY = 20_000
const seal = createSeal('s'.repeat(32))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-ends-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it(`${MANY} sessions that an operator ends are taken in pages, and hold up nobody`, async () => {
  const file = join(folder, 'sessions.db')
  const operator = openSqliteSessions(file, { context: null, lockTimeoutMs: 60_000 })
  writeManySessions(file, MANY, { seal, atMs: Date.now() })
  const store = await openSqliteSessionsInThreads(file, { context: null })
  const sessions = createSessions({ store, seal, limits: HOUR_LIMITS, now: Date.now })
  await sessions.tidy()
  expect(sessions.size).toBe(MANY)
  while ((await operator.operators.revoke({ everybody: true }, Date.now())).length > 0);
  await operator.close()

  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const taken = new Set<string>()
  for (;;) {
    const revoked = await sessions.synchronise()
    if (revoked.length === 0) break
    expect(revoked.length).toBeLessThanOrEqual(10_000)
    for (const { id } of revoked) taken.add(id)
  }
  await sessions.tidy()
  delay.disable()
  expect([taken.size, sessions.size]).toEqual([MANY, 0])
  expect(delay.max / 1e6).toBeLessThan(1_000) // 20 ms on an idle machine (decisions/142)
  await store.close()
}, 120_000)
