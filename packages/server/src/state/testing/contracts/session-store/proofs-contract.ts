import { describe, expect, it } from 'vitest'
import { SEALED_NOTHING_BYTES } from '../../../sessions/rows/seal.ts'
import { MAX_ROWS } from '../../../sessions/rows/session-store.ts'
import { PLAIN } from '../../test-sessions.ts'
import { insert, rowOf, SEALED, type StoreUnderTest, useStore } from './store-under-test.ts'

/** Contract of every store on revalidation. */
export function describeProofs(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions: proofs`, () => {
    const test = useStore(create)

    it('lets only the first of two proofs count', async () => {
      await insert(test.store, rowOf('a'))
      const vouched = { address: false, groups: ['entra:1', 'role:docs'], hasAllGroups: false }
      const proof = { key: 'key-a', previousProofAtMs: 3_000 }
      const first = { ...proof, provenAtMs: 6_000, refresh: SEALED.with(0, 6), vouched }
      await test.store.proofs.markProven([first])
      const second = { provenAtMs: 7_000, refresh: SEALED.with(0, 7), vouched: PLAIN.vouched }
      await test.store.proofs.markProven([{ ...proof, ...second }])
      const found = await test.store.sessions.find('key-a')
      expect(found).toMatchObject({ provenAtMs: 6_000, vouched })
      expect([...(found?.refresh ?? [])]).toEqual([...SEALED.with(0, 6)])
    })

    it(`lists what is due, oldest proof first, ${MAX_ROWS} at a time`, async () => {
      for (let n = 0; n <= MAX_ROWS; n += 1)
        await insert(test.store, rowOf(`n${n}`, { provenAtMs: 5_000 - n }))
      const first = await test.store.proofs.listDue(4_999, null)
      expect([first.length, first[0]?.provenAtMs]).toEqual([MAX_ROWS, 5_000 - MAX_ROWS])
      expect(await test.store.proofs.listDue(4_999, first.at(-1) ?? null)).toEqual([])
      expect(await test.store.proofs.listDue(5_000, first.at(-1) ?? null)).toMatchObject([{ id: 'n0' }])
    }, 60_000)

    it('never lists a session that cannot be revalidated', async () => {
      await insert(
        test.store,
        rowOf('a', { isProvable: false, refresh: SEALED.subarray(0, SEALED_NOTHING_BYTES) }),
      )
      expect(await test.store.proofs.listDue(9_000, null)).toEqual([])
    })

    it('has one gate prove at a time', async () => {
      expect(await test.store.proofs.holdProving()).toBe(true)
      expect(await test.store.proofs.holdProving()).toBe(true)
    })
  })
}
