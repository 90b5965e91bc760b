import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  addressKey,
  type RateLimit,
  type RateLimitOptions,
  REGISTRATION_LIMIT,
} from '../../limits/rate-limit.ts'

/** Buckets under test, with a clock that the test moves. */
interface RateLimitUnderTest extends AsyncDisposable {
  open(options: RateLimitOptions): RateLimit
  advance(ms: number): void | Promise<void>
}

/** Contract of every rate limit. */
export function describeRateLimit(name: string, create: () => Promise<RateLimitUnderTest>): void {
  describe(`${name} as a rate limit`, () => {
    let test: RateLimitUnderTest
    beforeEach(async () => {
      test = await create()
    })
    afterEach(() => test[Symbol.asyncDispose]())

    it('lets a burst through and then one at a time', async () => {
      const limit = test.open({ burst: 2, perSecond: 0.5 })
      expect([await limit.take('a'), await limit.take('a'), await limit.take('a')]).toEqual([0, 0, 2])
      expect(await limit.take('b')).toBe(0)
      await test.advance(2_000)
      expect([await limit.take('a'), await limit.take('a')]).toEqual([0, 2])
    })

    it('grants no more than the burst to those who come together, and no more after a pause', async () => {
      const limit = test.open({ burst: 3, perSecond: 0.01 })
      const takeMany = async () =>
        (await Promise.all(Array.from({ length: 8 }, () => limit.take('a')))).filter((wait) => wait === 0)
      expect(await takeMany()).toHaveLength(3)
      await test.advance(3_600_000)
      expect(await takeMany()).toHaveLength(3)
    })

    it('lets ten clients of an address register in an hour', async () => {
      const limit = test.open(REGISTRATION_LIMIT)
      const register = async (address: string) => (await limit.take(addressKey(address))) === 0
      for (let client = 0; client < 10; client += 1) expect(await register('192.0.2.1')).toBe(true)
      expect([await register('192.0.2.1'), await register('192.0.2.2')]).toEqual([false, true])
      await test.advance(3_600_000)
      for (let client = 0; client < 10; client += 1) expect(await register('192.0.2.1')).toBe(true)
      expect(await register('192.0.2.1')).toBe(false)
    })

    it('gives nothing for a clock that goes back', async () => {
      const limit = test.open({ burst: 1, perSecond: 1 })
      await limit.take('a')
      await test.advance(-10_000)
      expect(await limit.take('a')).toBe(1)
    })
  })
}
