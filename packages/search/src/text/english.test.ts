import { expect, it } from 'vitest'
import { englishKey, numberVariants } from './english.ts'

it.each([
  ['Computed Properties', 'computed property'],
  ['conditional-rendering', 'conditional rendering'],
  ['Classes', 'class'],
  ['class', 'class'],
])('%s is looked up as %s', (term, key) => {
  expect(englishKey(term)).toBe(key)
})

it.each([
  ['slots', ['slot']],
  ['slot', ['slots', 'slotes']],
  ['環境', []],
])('%s may also be %j', (word, variants) => {
  expect(numberVariants(word)).toEqual(variants)
})
