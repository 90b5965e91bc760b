import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ALICE, BOB, createTestSessions, type TestSessions } from '../../testing/test-sessions.ts'
import { createSessions } from '../sessions.ts'
import { createSeal } from './seal.ts'
import type { SessionRow } from './session.ts'
import { sessionKeyOf } from './session-key.ts'

let test: TestSessions

beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.asyncDispose]())

/** Attack with database access but without the secret: replaces a row with one of the attacker's own session. */
async function replace(token: string, rows: (own: SessionRow, victim: SessionRow) => SessionRow, of: string) {
  const store = test.openStore()
  const [own, victim] = [
    await store.sessions.find(sessionKeyOf(token)),
    await store.sessions.find(sessionKeyOf(of)),
  ]
  if (own === null || victim === null) throw new Error('a session is missing')
  await store.ends.remove([{ key: own.key, reason: null, endedAtMs: test.nowMs }])
  const spent = { digest: `spent ${token}`, expiresAtMs: test.nowMs }
  expect(await store.sessions.insert(rows(own, victim), spent)).toBe('inserted')
  await store.close()
  test.restart()
}

describe('a row that no gate wrote like this is no session', () => {
  it.each<[string, (own: SessionRow, victim: SessionRow) => SessionRow]>([
    [
      'another’s, under the digest of one’s own token',
      (own, victim) => ({ ...victim, key: own.key, id: 'x' }),
    ],
    [
      'another’s, with one’s own refresh token',
      (own, victim) => ({ ...victim, key: own.key, id: own.id, refresh: own.refresh }),
    ],
    ['one’s own, with groups', (own) => ({ ...own, vouched: { ...own.vouched, groups: ['role:editors'] } })],
    [
      'one’s own, with an address that nobody vouched for',
      (own) => ({ ...own, vouched: { ...own.vouched, address: !own.vouched.address } }),
    ],
    ['one’s own, begun later', (own) => ({ ...own, startedAtMs: own.startedAtMs + 60_000 })],
    ['one’s own, that nobody need prove', (own) => ({ ...own, refresh: new Uint8Array() })],
    ['one’s own, handed over from another’s', (own, victim) => ({ ...own, parent: victim.key })],
  ])('%s', async (_name, rows) => {
    const victim = await test.signIn(ALICE)
    const own = await test.signIn(BOB)
    await replace(own, rows, victim)
    expect(await test.isIn(own)).toBe(false)
    expect(await test.isIn(victim)).toBe(true)
  })

  it('one of a gate with another secret', async () => {
    const token = await test.signIn(ALICE)
    const limits = { idleMs: 1e9, absoluteMs: 1e9, revalidationIntervalMs: 1e9, revalidationGraceMs: 1e9 }
    const of = (secret: string) =>
      createSessions({ store: test.openStore(), seal: createSeal(secret), limits, now: () => test.nowMs })
    const find = async (secret: string) => of(secret).find(sessionKeyOf(token), { touch: false })
    expect(await find('t'.repeat(32))).toBeNull()
    expect(await find('s'.repeat(32))).toMatchObject({ email: ALICE.email })
  })
})

it('a session is what it was after a restart, a proof with other groups, and with half a surrogate pair in its name', async () => {
  const token = await test.signIn({ ...ALICE, name: 'A\ud800' })
  test.restart()
  expect(await test.isIn(token)).toBe(true)
  const vouched = { address: true, groups: ['role:docs', 'entra:1'], hasAllGroups: false }
  const store = test.openStore()
  const row = await store.sessions.find(sessionKeyOf(token))
  if (row === null) throw new Error('no session')
  test.nowMs += 1_000
  test.sessions.markProven(row, 'refresh-2', { vouched })
  await test.sessions.synchronise()
  test.restart()
  expect(await test.isIn(token)).toBe(true)
  const proven = await store.sessions.find(sessionKeyOf(token))
  expect(proven).toMatchObject({ vouched })
  expect(proven === null ? null : test.sessions.refreshTokenOf(proven)).toBe('refresh-2')
  await store.close()
})
