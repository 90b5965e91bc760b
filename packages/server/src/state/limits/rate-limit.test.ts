import { describe, expect, it } from 'vitest'
import { describeRateLimit } from '../testing/contracts/rate-limit-contract.ts'
import { addressKey, createRateLimit } from './rate-limit.ts'

describeRateLimit('memory', async () => {
  let nowMs = 0
  return {
    open: (options) => createRateLimit({ ...options, now: () => nowMs }),
    advance(ms) {
      nowMs += ms
    },
    async [Symbol.asyncDispose]() {},
  }
})

describe('createRateLimit', () => {
  it('refills nothing when the clock goes back, and deducts nothing either', () => {
    let nowMs = 10_000
    const limit = createRateLimit({ burst: 1, perSecond: 1, now: () => nowMs })
    limit.take('a')
    nowMs = 0
    expect(limit.take('a')).toBe(1)
    nowMs = 1_000
    expect(limit.take('a')).toBe(0)
  })

  it('forgets the client seen longest ago instead of growing', () => {
    const limit = createRateLimit({ burst: 1, perSecond: 0.001, now: () => 0, maxKeys: 2 })
    limit.take('a')
    limit.take('b')
    limit.take('c')
    expect([limit.take('b') > 0, limit.take('a')]).toEqual([true, 0])
  })
})

describe('addressKey', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
  ])('%s → %s', (address, key) => expect(addressKey(address)).toBe(key))
})
