import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ALICE, BOB, createTestSessions, MINUTE, type TestSessions } from '../testing/test-sessions.ts'
import { previewSessionKeyOf, type SessionKey, sessionKeyOf } from './rows/session-key.ts'

const HOST = 'pr-1--portal.test'
const keyOf = (token: string) => previewSessionKeyOf(HOST, token)

let test: TestSessions
let parent: SessionKey
beforeEach(async () => {
  test = createTestSessions()
  parent = sessionKeyOf(await test.signIn())
})
afterEach(() => test[Symbol.asyncDispose]())

let tickets = 0
async function handOver(from = parent, digest = `ticket-${++tickets}`) {
  const spent = { digest, expiresAtMs: test.nowMs + MINUTE }
  return test.sessions.handOver({ parent: from, keyOf, spent, device: '', address: '192.0.2.1' })
}
async function handedOver(from = parent): Promise<string> {
  const result = await handOver(from)
  if (result.kind !== 'started') throw new Error(result.kind)
  return result.token
}
const find = (key: SessionKey) => test.sessions.find(key, { touch: true })
const isIn = async (token: string) => (await find(keyOf(token))) !== null

describe('a session that was handed over', () => {
  it('is of the same account, and known by its token on one host only', async () => {
    const token = await handedOver()
    expect(await find(keyOf(token))).toMatchObject({ ...ALICE, parent })
    expect(await find(sessionKeyOf(token))).toBeNull()
    expect(await find(previewSessionKeyOf('pr-2--portal.test', token))).toBeNull()
    expect(await find(parent)).toMatchObject(ALICE)
  })

  it('begins once for each ticket, and from no session that is over or was handed over itself', async () => {
    expect((await handOver(parent, 'same')).kind).toBe('started')
    expect((await handOver(parent, 'same')).kind).toBe('replayed')
    expect((await handOver(keyOf(await handedOver()))).kind).toBe('parent_ended')
    expect((await handOver(sessionKeyOf('nobody'))).kind).toBe('parent_ended')
    test.nowMs += 60 * MINUTE
    expect((await handOver()).kind).toBe('parent_ended')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is signed out', () => test.sessions.signOut(parent, 'one')],
    ['is ended with its account', () => test.sessions.end(parent, 'account', 'account')],
    [
      'is revoked by an operator',
      async () => {
        const operator = test.openStore()
        await operator.operators.revoke({ email: ALICE.email }, test.nowMs)
        await operator.close()
        await test.sessions.synchronise()
      },
    ],
    [
      'is too idle, although this one is used',
      async () => {
        test.nowMs += 60 * MINUTE
      },
    ],
  ])('ends when the one it is from %s', async (_how, end) => {
    const token = await handedOver()
    test.nowMs += MINUTE
    expect(await isIn(token)).toBe(true)
    await end()
    expect(await isIn(token)).toBe(false)
    test.restart()
    expect(await isIn(token)).toBe(false)
  })

  it('does not keep the one it is from alive', async () => {
    const token = await handedOver()
    for (let minute = 0; minute < 59; minute += 1) {
      test.nowMs += MINUTE
      await test.prove()
      expect(await isIn(token)).toBe(true)
    }
    test.nowMs += MINUTE
    expect([await isIn(token), await find(parent)]).toEqual([false, null])
  })

  it('ends alone, and then the one it is from lives on', async () => {
    const [first, second] = [await handedOver(), await handedOver()]
    await test.sessions.signOut(keyOf(first), 'one')
    expect([await isIn(first), await isIn(second), (await find(parent)) !== null]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('is not proven by itself: an account that cannot be proven is out of both', async () => {
    const token = await handedOver()
    test.nowMs += 4 * MINUTE
    expect((await test.sessions.listDue()).due.map(({ key }) => key)).toEqual([parent])
    test.nowMs += 32 * MINUTE
    await expect(async () => find(keyOf(token))).rejects.toThrow(/could not be proven/)
  })

  it('is one of so many, and ends no session that began with a sign-in', async () => {
    const other = sessionKeyOf(await test.signIn(BOB))
    const first = await handedOver()
    for (let n = 0; n < 25; n += 1) {
      test.nowMs += 1
      await handedOver()
    }
    expect(await isIn(first)).toBe(false)
    expect([await find(parent), await find(other)]).toEqual([
      expect.objectContaining(ALICE),
      expect.objectContaining(BOB),
    ])
  })
})
