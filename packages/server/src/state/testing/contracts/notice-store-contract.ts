import { describe, expect, it } from 'vitest'
import { KEEP_MS, type Notice, type NoticeStore, WATCH_MS } from '../../notices/notice-store.ts'

/** Stores of one queue. */
export interface NoticeStoreFixture extends AsyncDisposable {
  readonly gate: NoticeStore
  readonly other: NoticeStore
}

const ONE: Notice = {
  ...{ key: 'publication r1', recipient: 'webhook', kind: 'publication', subject: 'r1', createdAtMs: 1_000 },
}
const READER = {
  issuer: 'https://issuer.test',
  sub: 'a',
  email: 'a@example.co.jp',
  folders: ['/docs/'],
  atMs: 1_000,
}

/** Every implementation of {@link NoticeStore} passes these. */
export function describeNoticeStore(name: string, create: () => Promise<NoticeStoreFixture>): void {
  describe(`notices in ${name}`, () => {
    it('wait once under their key, whichever gate adds them, and are leased to one gate', async () => {
      await using stores = await create()
      const { gate, other } = stores
      const added = await Promise.all([gate, other, gate, other].map((store) => store.add(ONE)))
      expect(added.filter((isNew) => isNew)).toHaveLength(1)
      const claims = await Promise.all([gate, other, gate, other].map((store) => store.claim(1_000, 9_000)))
      const [claimed, ...rest] = claims.filter((one) => one !== null)
      expect([claimed, rest]).toMatchObject([{ ...ONE, attempts: 1 }, []])
      expect(await other.claim(8_999, 20_000)).toBeNull()
    })

    it('are leased again after a gate that ended, which can settle them no more', async () => {
      await using stores = await create()
      await stores.gate.add(ONE)
      const first = (await stores.gate.claim(1_000, 9_000)) ?? expect.fail()
      expect(await stores.gate.count()).toEqual({ waiting: 1, failing: 0, dropped: 0 })
      const second = (await stores.other.claim(9_000, 20_000)) ?? expect.fail()
      expect(second).toMatchObject({ ...ONE, attempts: 2 })
      expect(await stores.gate.settle(first, { state: 'sent' }, 9_001)).toBe(false)
      expect(await stores.other.settle(second, { retryAtMs: 30_000 }, 9_001)).toBe(true)
      expect(await stores.gate.count()).toEqual({ waiting: 1, failing: 1, dropped: 0 })
      expect(await stores.gate.claim(29_999, 40_000)).toBeNull()
      const third = (await stores.gate.claim(30_000, 40_000)) ?? expect.fail()
      expect(await stores.gate.settle(third, { state: 'sent' }, 30_001)).toBe(true)
      expect(await stores.gate.claim(90_000, 99_000)).toBeNull()
      expect(await stores.other.add(ONE)).toBe(false)
    })

    it('are forgotten long after, and the longest waiting comes first', async () => {
      await using stores = await create()
      await stores.gate.add({ ...ONE, key: 'b', createdAtMs: 2_000 })
      await stores.gate.add({ ...ONE, key: 'c', createdAtMs: 1_500 })
      const longest = (await stores.gate.claim(3_000, 9_000)) ?? expect.fail()
      expect(longest.key).toBe('c')
      expect(await stores.gate.settle(longest, { state: 'dropped' }, 3_001)).toBe(true)
      expect(await stores.gate.count()).toEqual({ waiting: 1, failing: 0, dropped: 1 })
      await stores.gate.add({ ...ONE, key: 'd', createdAtMs: 2_000 + KEEP_MS })
      expect(await stores.gate.add({ ...ONE, key: 'c', createdAtMs: 2_000 + KEEP_MS })).toBe(true)
    })

    it('keep one watch of an account, until it is empty or old', async () => {
      await using stores = await create()
      const other = { ...READER, sub: 'b' }
      await stores.gate.putWatch(READER)
      await stores.gate.putWatch(other)
      await stores.other.putWatch({ ...READER, folders: ['/docs/', '/規程/'] })
      expect(await stores.gate.findWatch(READER)).toEqual({ ...READER, folders: ['/docs/', '/規程/'] })
      expect(await stores.gate.listWatches(null, 1)).toHaveLength(1)
      expect(await stores.gate.listWatches(READER, 9)).toEqual([other])
      await stores.gate.putWatch({ ...READER, folders: [] })
      expect(await stores.other.findWatch(READER)).toBeNull()
      await stores.gate.putWatch({ ...READER, atMs: other.atMs + WATCH_MS + 1 })
      expect(await stores.gate.findWatch(other)).toBeNull()
    })
  })
}
