import { describe, expect, it, vi } from 'vitest'
import { idsOf, insert, rowOf, type StoreUnderTest, useStore } from './store-under-test.ts'

/** What every store does with what operators do. */
export function describeOperators(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions: what operators do`, () => {
    const test = useStore(create)

    it('49 revokes by id, address and all, and hands each to one gate to record', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await insert(test.store, rowOf(id))
      const operator = await test.open(null)
      expect(await operator.operators.revoke({ id: 'a' }, 9_000)).toEqual([
        { id: 'a', email: 'a@example.co.jp' },
      ])
      expect(await operator.operators.revoke({ email: 'B@example.co.jp' }, 9_000)).toHaveLength(1)
      expect(idsOf(await operator.operators.revoke({ everybody: true }, 9_000))).toEqual(['c', 'd'])
      expect(await test.store.sessions.find('key-a')).toBeNull()
      const taken: string[] = []
      await vi.waitFor(async () => {
        taken.push(...idsOf(await test.store.changes.takeRevocations()))
        expect(taken.sort()).toEqual(['a', 'b', 'c', 'd'])
      }, 10_000)
      expect(await test.store.changes.takeRevocations()).toEqual([])
    })
  })
}
