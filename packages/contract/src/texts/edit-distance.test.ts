import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'

it.each([
  ['kubernets', 'kubernetes', 1],
  ['tpyescript', 'typescript', 1],
  ['rebsae', 'rebase', 1],
  ['レンダリンング', 'レンダリング', 1],
  ['abcdef', 'abcdef', 0],
  ['abc', 'xyz', 3],
])('%s is %s in %i steps', (a, b, distance) => {
  expect(editDistance(a, b, 3)).toBe(distance)
})

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

it('is symmetric, zero only for equal words, and cut at the limit', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b, 8)
      expect(editDistance(b, a, 8)).toBe(distance)
      expect(distance === 0).toBe(a === b)
      expect(editDistance(a, b, 1)).toBe(Math.min(distance, 2))
    }),
  )
})
