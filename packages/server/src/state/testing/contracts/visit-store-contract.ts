import { describe, expect, it } from 'vitest'
import { KEEP_MS, type Visit, type VisitStore } from '../../visits/visit-store.ts'

/** Stores of one set of visits. */
export interface VisitStoreFixture extends AsyncDisposable {
  readonly gate: VisitStore
  readonly other: VisitStore
}

const ONE = { issuer: 'https://issuer.test', sub: 'a' }
const VISIT: Visit = { edition: 'default', base: 'r1', current: 'r2', atMs: 1_000, isOff: false }

/** Every implementation of {@link VisitStore} passes these. */
export function describeVisitStore(name: string, create: () => Promise<VisitStoreFixture>): void {
  describe(`visits in ${name}`, () => {
    it('are of one account each, the last one, at every gate', async () => {
      await using stores = await create()
      expect(await stores.gate.find(ONE)).toBeNull()
      await stores.gate.put(ONE, VISIT)
      await stores.other.put({ ...ONE, sub: 'b' }, { ...VISIT, base: 'r0' })
      await stores.other.put(ONE, { ...VISIT, current: 'r3', atMs: 2_000 })
      for (const store of [stores.gate, stores.other])
        expect(await store.find(ONE)).toEqual({ ...VISIT, current: 'r3', atMs: 2_000 })
      expect(await stores.gate.find({ ...ONE, issuer: 'https://other.test' })).toBeNull()
    })

    it('are forgotten when an account has not come for long, unless it stopped the record', async () => {
      await using stores = await create()
      const off = { ...VISIT, edition: '', base: '', current: '', isOff: true }
      await stores.gate.put(ONE, VISIT)
      await stores.gate.put({ ...ONE, sub: 'off' }, off)
      await stores.gate.put({ ...ONE, sub: 'b' }, { ...VISIT, atMs: VISIT.atMs + KEEP_MS + 1 })
      expect(await stores.gate.find(ONE)).toBeNull()
      expect(await stores.gate.find({ ...ONE, sub: 'off' })).toEqual(off)
    })
  })
}
