import { ALICE, BOB, createTestSessions, MINUTE, type TestSessions } from '@sekisho/state/testing'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { IdentityProvider, Reproof } from './provider.ts'
import { createReproof } from './reproof.ts'

let test: TestSessions
beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.asyncDispose]())

describe('a run of the re-proof', () => {
  const ended: string[] = []
  const run = async (answer: Reproof | ((token: string) => Reproof)) => {
    const reprove: IdentityProvider['reprove'] = async (token) =>
      typeof answer === 'function' ? answer(token) : answer
    ended.length = 0
    const prove = createReproof({
      sessions: test.sessions,
      identity: { reprove },
      intervalMs: 5 * MINUTE,
      onEnded: (session, reason) => ended.push(`${session.email} ${reason}`),
      onProven: () => {},
      onUnclear: () => {},
      onUnavailable: () => {},
      now: () => test.nowMs,
    })
    await prove()
    await test.sessions.synchronise()
  }
  const proven: Reproof = { kind: 'proven', identity: ALICE, refreshToken: 'refresh-2' }

  it('49 ends every session of a disabled account within the interval', async () => {
    const tokens = [await test.signIn(), await test.signIn()]
    test.nowMs += 4 * MINUTE
    await run({ kind: 'gone', about: 'account', reason: 'USER_DISABLED' })
    expect(await Promise.all(tokens.map(test.isIn))).toEqual([false, false])
    expect(ended).toHaveLength(2)
  })

  it('ends one session when only its refresh token is gone', async () => {
    const first = await test.signIn()
    test.nowMs += 4 * MINUTE
    const second = await test.signIn()
    await run({ kind: 'gone', about: 'token', reason: 'TOKEN_EXPIRED' })
    expect([await test.isIn(first), await test.isIn(second)]).toEqual([false, true])
  })

  it.each([
    ['the refresh token of somebody else', { ...proven, identity: BOB }],
    ['another account under the same address', { ...proven, identity: { ...ALICE, sub: 'uid-other' } }],
    ['an address that changed', { ...proven, identity: { ...ALICE, email: 'new@example.co.jp' } }],
  ])('48 ends a session on %s', async (_row, answer) => {
    const token = await test.signIn()
    test.nowMs += 5 * MINUTE
    await run(answer)
    expect(await test.isIn(token)).toBe(false)
  })

  it('54 keeps a session through an outage for the stated grace, then fails closed, then recovers', async () => {
    const token = await test.signIn()
    test.nowMs += 34 * MINUTE
    await run({ kind: 'unavailable', reason: 'down' })
    expect(await test.isIn(token)).toBe(true)
    test.nowMs += 2 * MINUTE
    await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
    await run(proven)
    expect(await test.isIn(token)).toBe(true)
  })

  it('uses and keeps the newest refresh token', async () => {
    await test.start()
    const seen: string[] = []
    for (let round = 0; round < 2; round += 1) {
      test.nowMs += 5 * MINUTE
      await run((token) => {
        seen.push(token)
        return proven
      })
    }
    expect(seen).toEqual(['refresh-secret', 'refresh-2'])
  })

  it('asks nothing while nobody is due', async () => {
    await test.start()
    let asked = 0
    const count = () => {
      asked += 1
      return proven
    }
    await run(count)
    expect(asked).toBe(0)
    test.nowMs += 5 * MINUTE
    await run(count)
    expect(asked).toBe(1)
  })
})
