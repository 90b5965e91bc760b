import { expect, it } from 'vitest'
import { englishKey, englishStem } from './english.ts'

it.each([
  ['Computed Properties', 'computed property'],
  ['conditional-rendering', 'conditional rendering'],
  ['Classes', 'class'],
  ['class', 'class'],
])('%s is looked up as %s', (term, key) => {
  expect(englishKey(term)).toBe(key)
})

it.each([
  ['restoring', 'restore'],
  ['policies', 'policy'],
  ['slots', 'slot'],
])('%s and %s have one stem', (word, other) => {
  expect(englishStem(word)).toBe(englishStem(other))
})

it.each(['環境', 'a1', 'of'])('%s has no stem', (word) => {
  expect(englishStem(word)).toBe('')
})
