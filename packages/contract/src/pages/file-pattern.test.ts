import { expect, it } from 'vitest'
import { compilePattern } from './file-pattern.ts'

it.each([
  ['src/payments/**', 'src/payments/card.ts', true],
  ['src/payments/**', 'src/payments/cards/visa.ts', true],
  ['src/payments/**', 'src/payments-old/card.ts', false],
  ['src/payments/', 'src/payments/cards/visa.ts', true],
  ['/src/*.ts', 'src/main.ts', true],
  ['src/*.ts', 'src/cards/visa.ts', false],
  ['src/*', 'src/.env', true],
  ['**/*.sql', 'schema.sql', true],
  ['**/*.sql', 'db/2026/schema.sql', true],
  ['**/b', 'ab', false],
  ['a/**/b/**/c', 'a/x/b/y/b/z/c', true],
  ['a/**/b/*/c', 'a/b/x/b/y/c', true],
  ['a/**/b/*/c', 'a/b/x/y/c', false],
  ['料金/?.md', '料金/表.md', true],
  ['料金/?.md', '料金/料表.md', false],
  ['src', 'src/main.ts', false],
  ['src/main.ts', 'src', false],
  ['**', 'anything/at/all', true],
  ['[a-z].ts', 'b.ts', false],
  ['(a|b)+.ts', 'a.ts', false],
])('%s and %s', (pattern, path, isMatch) => {
  expect(compilePattern(pattern)(path)).toBe(isMatch)
})

it('is bounded for patterns that make other matchers backtrack', () => {
  expect(compilePattern(`${'*a'.repeat(99)}b`)('a'.repeat(4_096))).toBe(false)
  expect(compilePattern(`${'**/a/'.repeat(40)}b`)('a/'.repeat(2_048))).toBe(false)
})
