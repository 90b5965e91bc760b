import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createByteCache } from './byte-cache.ts'

it('holds no more than its bound and forgets what was used longest ago', () => {
  const cache = createByteCache(10)
  cache.set('a', new Uint8Array(4))
  cache.set('b', new Uint8Array(4))
  cache.get('a')
  cache.set('c', new Uint8Array(4))
  expect([cache.get('a')?.length, cache.get('b'), cache.get('c')?.length]).toEqual([4, undefined, 4])
  cache.set('huge', new Uint8Array(11))
  expect(cache.get('huge')).toBeUndefined()
})

it('counts what it holds exactly', () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(12))
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const cache = createByteCache(20)
      for (const [key, size] of steps) {
        cache.set(key, new Uint8Array(size))
        const held = ['a', 'b', 'c', 'd'].reduce((sum, name) => sum + (cache.get(name)?.length ?? 0), 0)
        expect(cache.heldBytes()).toBe(held)
        expect(held).toBeLessThanOrEqual(20)
      }
    }),
  )
})
