import { expect, it } from 'vitest'
import { createRecent } from './recent.ts'

it('forgets what was not asked for longest, and no more than it must', () => {
  const recent = createRecent<string>(10)
  recent.set(1, 'one', 4)
  recent.set(2, 'two', 4)
  expect(recent.get(1)).toBe('one')
  recent.set(3, 'three', 4)
  expect([1, 2, 3].map(recent.get)).toEqual(['one', undefined, 'three'])
  recent.set(3, 'three again', 6)
  expect([1, 3].map(recent.get)).toEqual(['one', 'three again'])
  recent.set(4, 'too heavy', 11)
  expect([1, 3, 4].map(recent.get)).toEqual([undefined, undefined, undefined])
})
