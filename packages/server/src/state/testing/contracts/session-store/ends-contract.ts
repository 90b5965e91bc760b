import { describe, expect, it } from 'vitest'
import { SEALED_NOTHING_BYTES } from '../../../sessions/rows/seal.ts'
import type { SessionStore } from '../../../sessions/rows/session-store.ts'
import { childOf, idsOf, insert, rowOf, SEALED, type StoreUnderTest, useStore } from './store-under-test.ts'

/** Contract of every store on ends. */
export function describeEnds(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions: ends`, () => {
    const test = useStore(create)

    it('removes what began or was used too long ago, and says whose', async () => {
      await insert(test.store, rowOf('old', { startedAtMs: 100 }))
      await insert(test.store, rowOf('idle', { lastSeenAtMs: 200 }))
      await insert(test.store, rowOf('live'))
      expect(
        idsOf(await test.store.ends.removeExpired({ startedMs: 100, seenMs: 200, provenMs: 0 }, 9_000)),
      ).toEqual(['idle', 'old'])
      expect(
        await test.store.ends.removeExpired({ startedMs: 100, seenMs: 200, provenMs: 0 }, 9_000),
      ).toEqual([])
      expect(idsOf(await test.store.operators.list())).toEqual(['live'])
    })

    it('keeps why sessions ended until that is forgotten, and nothing of those whose holder ended them', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await insert(test.store, rowOf(id))
      await test.store.ends.remove([
        { key: 'key-a', reason: null, endedAtMs: 5_000 },
        { key: 'key-b', reason: 'policy', endedAtMs: 5_000 },
      ])
      await test.store.ends.remove([{ key: 'key-b', reason: 'elsewhere', endedAtMs: 9_000 }]) // the first reason counts
      await (await test.open(null)).operators.revoke({ id: 'c' }, 6_000)
      await test.store.ends.removeExpired({ startedMs: 0, seenMs: 2_000, provenMs: 0 }, 7_000)
      const reasons = () =>
        Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => test.store.ends.findReason(`key-${id}`)))
      expect(await reasons()).toEqual([null, 'policy', 'revoked', 'idle', null])
      await test.store.ends.forgetReasons(6_000)
      expect(await reasons()).toEqual([null, null, 'revoked', 'idle', null])
    })

    it.each<[string, (operator: SessionStore) => Promise<unknown>]>([
      ['is signed out', () => test.store.ends.remove([{ key: 'key-a', reason: null, endedAtMs: 9_000 }])],
      ['is revoked', (operator) => operator.operators.revoke({ id: 'a' }, 9_000)],
      ['expires', () => test.store.ends.removeExpired({ startedMs: 1_000, seenMs: 0, provenMs: 0 }, 9_000)],
    ])('ends them when the one they are from %s, and no others', async (_how, end) => {
      for (const id of ['a', 'b'])
        await insert(test.store, rowOf(id, { startedAtMs: id === 'a' ? 1_000 : 1_001 }))
      await insert(test.store, { ...childOf('a', 'x'), startedAtMs: 1_001 })
      await insert(test.store, { ...childOf('b', 'y'), startedAtMs: 1_001 })
      await end(await test.open(null))
      expect(await test.store.sessions.find('key-x')).toBeNull()
      expect(idsOf(await test.store.operators.list())).toEqual(['b', 'y'])
    })

    it('ends one alone', async () => {
      await insert(test.store, rowOf('a'))
      await insert(test.store, childOf('a', 'x'))
      await test.store.ends.remove([{ key: 'key-x', reason: null, endedAtMs: 9_000 }])
      expect(idsOf(await test.store.operators.list())).toEqual(['a'])
    })

    it('ends sessions without revalidation an hour after their proof, and says so', async () => {
      const once = { isProvable: false, refresh: SEALED.subarray(0, SEALED_NOTHING_BYTES) }
      await insert(test.store, rowOf('a', { ...once, provenAtMs: 3_000 }))
      await insert(test.store, rowOf('b', { ...once, provenAtMs: 5_000 }))
      await insert(test.store, rowOf('c', { provenAtMs: 3_000 }))
      const before = { startedMs: 0, seenMs: 0, provenMs: 4_000 }
      expect(idsOf(await test.store.ends.removeExpired(before, 9_000))).toEqual(['a'])
      expect(await test.store.ends.findReason('key-a')).toBe('unproven')
    })
  })
}
