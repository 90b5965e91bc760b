import { describe, expect, it, vi } from 'vitest'
import { insert, OWN, rowOf, type StoreUnderTest, useStore } from './store-under-test.ts'

/** Contract of every store on changes by others. */
export function describeChanges(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions: changes by others`, () => {
    const test = useStore(create)

    it('49 hears of what ends elsewhere, and stops answering from memory if it would not', async () => {
      const other = await test.open(OWN)
      await insert(test.store, rowOf('a'))
      await test.store.changes.takeRevocations()
      expect(test.store.changes.hears()).toBe(true)
      let heard = false
      test.store.changes.subscribe((keys) => {
        heard ||= keys === null || keys.includes('key-a')
      })
      await other.ends.remove([{ key: 'key-a', reason: null, endedAtMs: 9_000 }])
      await vi.waitFor(async () => {
        await test.store.changes.takeRevocations()
        expect(heard).toBe(true)
      }, 10_000)
      expect(await test.store.sessions.find('key-a')).toBeNull()
    })
  })
}
