import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ALICE, BOB, createTestSessions, MINUTE, type TestSessions } from '../state/testing/index.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import type { IdentityProvider, Revalidation } from './provider.ts'
import { createRevalidation } from './revalidation.ts'

let test: TestSessions
beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.asyncDispose]())

describe('a run of the revalidation', () => {
  const ended: string[] = []
  const run = async (answer: Revalidation | ((token: string) => Revalidation)) => {
    const revalidate: IdentityProvider['revalidate'] = async (token) =>
      typeof answer === 'function' ? answer(token) : answer
    ended.length = 0
    const prove = createRevalidation({
      sessions: test.sessions,
      identity: { revalidate },
      intervalMs: 5 * MINUTE,
      onEnded: (session, reason) => ended.push(`${session.email} ${reason}`),
      onProven: () => {},
      onUnclear: () => {},
      onUnavailable: () => {},
      onLimited: () => {},
      now: () => test.nowMs,
    })
    await prove()
    await test.sessions.synchronise()
  }
  const proven: Revalidation = { kind: 'proven', identity: ALICE, refreshToken: 'refresh-2' }

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

  it('asks nothing while no session is due', async () => {
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

describe('a provider that limits how often it is asked', () => {
  const ACCOUNTS = 120
  const PER_SECOND = 5

  /** Accepts five calls a second of a clock that advances while callers wait, and answers the others 429, as Okta and Entra do. */
  async function prove() {
    let elapsedMs = 0
    const waiting: { atMs: number; resolve: () => void }[] = []
    const taken = new Map<number, number>()
    const told = { limited: 0, refused: 0, ended: 0, outages: 0 }
    for (let n = 0; n < ACCOUNTS; n += 1)
      await test.start({ ...ALICE, sub: `uid-${n}`, email: `p${n}@example.co.jp` }, `digest-${n}`)
    test.nowMs += 5 * MINUTE
    const revalidate = async (_token: string, account: { readonly sub: string }): Promise<Revalidation> => {
      const second = Math.floor(elapsedMs / 1_000)
      const count = (taken.get(second) ?? 0) + 1
      taken.set(second, count)
      if (count > PER_SECOND) {
        told.refused += 1
        return { kind: 'unavailable', reason: 'rate_limited', limitedMs: 1_000 }
      }
      const email = `p${account.sub.slice('uid-'.length)}@example.co.jp`
      return { kind: 'proven', identity: { ...ALICE, sub: account.sub, email }, refreshToken: 'next' }
    }
    const run = createRevalidation({
      sessions: test.sessions,
      identity: { revalidate },
      intervalMs: 5 * MINUTE,
      ...{ onProven: () => {}, onUnclear: () => {} },
      onEnded() {
        told.ended += 1
      },
      onLimited() {
        told.limited += 1
      },
      onUnavailable() {
        told.outages += 1
      },
      pace: {
        elapsed: () => elapsedMs,
        wait: (ms) => new Promise((resolve) => waiting.push({ atMs: elapsedMs + ms, resolve })),
        random: () => 1,
      },
      now: () => test.nowMs,
    })
    let isOver = false
    const running = run().finally(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise(setImmediate)
      const next = waiting.sort((one, other) => one.atMs - other.atMs).shift()
      elapsedMs = next?.atMs ?? elapsedMs
      next?.resolve()
    }
    await running
    await test.sessions.synchronise()
    return { ...told, seconds: elapsedMs / 1_000, due: (await test.sessions.listDue()).due.length }
  }

  it('54 revalidates every account in the end, ends no session, and is refused few calls', async () => {
    const result = await prove()
    expect(result).toMatchObject({ limited: 1, ended: 0, outages: 0, due: 0 })
    expect(result.refused).toBeLessThan(ACCOUNTS / 2)
    expect(result.seconds).toBeLessThan(300)
  })
})
