import { describe, expect, it, vi } from 'vitest'
import { MAX_ROWS } from '../../../sessions/rows/session-store.ts'
import { idsOf, insert, rowOf, type StoreUnderTest, useStore } from './store-under-test.ts'

/** Contract of every store on operators' acts. */
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

    it(`lists and revokes ${MAX_ROWS} at a time`, async () => {
      for (let n = 0; n <= MAX_ROWS; n += 1) await insert(test.store, rowOf(`n${n}`))
      const { list, revoke } = (await test.open(null)).operators
      const first = await list()
      const second = await list(first.at(-1)?.key)
      expect([first.length, second.length]).toEqual([MAX_ROWS, 1])
      expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(MAX_ROWS + 1)
      expect(await list(second[0]?.key)).toEqual([])
      const ended = [await revoke({ everybody: true }, 9_000), await revoke({ everybody: true }, 9_000)]
      expect(ended.map((page) => page.length)).toEqual([MAX_ROWS, 1])
      expect(await list()).toEqual([])
    }, 60_000)
  })
}
