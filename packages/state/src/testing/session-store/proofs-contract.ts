import { describe, expect, it } from 'vitest'
import { MAX_ROWS } from '../../sessions/session-store.ts'
import { insert, rowOf, type StoreUnderTest, useStore } from './store-under-test.ts'

/** What every store does with proofs. */
export function describeProofs(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions: proofs`, () => {
    const test = useStore(create)

    it('lets only the first of two proofs count', async () => {
      await insert(test.store, rowOf('a'))
      const proof = { key: 'key-a', previousProofAtMs: 3_000 }
      await test.store.proofs.markProven([{ ...proof, provenAtMs: 6_000, refresh: new Uint8Array([6]) }])
      await test.store.proofs.markProven([{ ...proof, provenAtMs: 7_000, refresh: new Uint8Array([7]) }])
      const found = await test.store.sessions.find('key-a')
      expect(found).toMatchObject({ provenAtMs: 6_000 })
      expect([...(found?.refresh ?? [])]).toEqual([6])
    })

    it(`lists what is due, oldest proof first, ${MAX_ROWS} at a time`, async () => {
      for (let n = 0; n <= MAX_ROWS; n += 1)
        await insert(test.store, rowOf(`n${n}`, { provenAtMs: 5_000 - n }))
      const first = await test.store.proofs.listDue(4_999, null)
      expect([first.length, first[0]?.provenAtMs]).toEqual([MAX_ROWS, 5_000 - MAX_ROWS])
      expect(await test.store.proofs.listDue(4_999, first.at(-1) ?? null)).toEqual([])
      expect(await test.store.proofs.listDue(5_000, first.at(-1) ?? null)).toMatchObject([{ id: 'n0' }])
    }, 60_000)

    it('has one gate prove at a time', async () => {
      expect(await test.store.proofs.holdProving()).toBe(true)
      expect(await test.store.proofs.holdProving()).toBe(true)
    })
  })
}
