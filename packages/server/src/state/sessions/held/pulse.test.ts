import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { UnavailableError } from '../../../storage/unavailable-error.ts'
import { LIMITS, PLAIN } from '../../testing/test-sessions.ts'
import { createSeal } from '../rows/seal.ts'
import { sessionKeyOf } from '../rows/session-key.ts'
import { createSessions } from '../sessions.ts'
import { openSqliteSessions } from '../sqlite/sqlite-sessions.ts'
import { startPulse } from './pulse.ts'

it('a process that was stopped is behind for a second, and no other is', () => {
  let elapsedMs = 0
  using pulse = startPulse(() => elapsedMs)
  const isBehindAfter = (ms: number) => {
    elapsedMs += ms
    return pulse.isBehind()
  }
  expect([1, 4_999, 5_000].map(isBehindAfter)).toEqual([false, false, false])
  expect([20_000, 0, 999, 1, 0].map(isBehindAfter)).toEqual([true, true, true, false, false])
})

it('who waited for a process that was stopped is neither served nor signed out', async () => {
  let elapsedMs = 0
  using pulse = startPulse(() => elapsedMs)
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-pulse-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = openSqliteSessions(join(folder, 'sessions.db'), { context: null })
  const seal = createSeal('s'.repeat(32))
  const sessions = createSessions({
    store,
    seal,
    limits: LIMITS,
    now: () => 1_000_000,
    isBehind: pulse.isBehind,
  })
  const spent = { digest: 'x', expiresAtMs: 2_000_000 }
  const identity = { ...PLAIN, sub: 'a', email: 'a@example.co.jp', name: null }
  const started = await sessions.start({ identity, refreshToken: 'r', spent, device: '', address: '' })
  if (started.kind !== 'started') throw new Error(started.kind)
  const find = async (token: string) => sessions.find(sessionKeyOf(token), { touch: true })
  expect(await find(started.token)).not.toBeNull()
  elapsedMs += 20_000
  for (const token of [started.token, 'A'.repeat(43)])
    await expect(find(token)).rejects.toThrow(UnavailableError)
  elapsedMs += 1_000
  expect(await find(started.token)).not.toBeNull()
  expect(await find('A'.repeat(43))).toBeNull()
  await store.close()
})
