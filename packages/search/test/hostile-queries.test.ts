import type { MarkedRange } from '@sekisho/contract/search-response'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex } from './fixture-index.ts'
import { FIXTURE_PAGES } from './fixture-pages.ts'

/** Limit of index lookups for a query of up to 500 characters; a clock would measure the machine. The worst here needs half. */
const MAX_LOOKUPS = 1_500
const MAX_EXPRESSION = 1_000

const HOSTILE: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['white space', ' \u3000\n\t'],
  ['500 letters', 'a'.repeat(500)],
  ['500 characters', '設定'.repeat(250)],
  ['500 kana', 'かんきょう'.repeat(100)],
  ['70 words', Array.from({ length: 70 }, (_, at) => `word${at}`).join(' ')],
  ['500 scripts', Array.from({ length: 500 }, (_, at) => ['設', 'x', 'の', '?.'][at % 4]).join('')],
  ['a regular expression', '(.*)+$ [a-z]{1,9999} (?<x>a|b)* \\'],
  ['lone surrogates', '\ud800環境\udc00変数'],
  ['a function of the store', 'NEAR(環境 変数, 5)'],
  ['a quote', '"'],
  ['unbalanced quotes', '"""環境" OR "x'],
  ['operators of the store', 'title:環境 AND NOT body:* ^a - + {a b}:c'],
  ['a NUL', '環境\u0000変数'],
  ['piled-up marks', `a${'\u0301'.repeat(499)}`],
  ['SQL', "'; DROP TABLE page; --"],
  ['names of the prototype', '__proto__ constructor toString'],
  ['words of grammar', 'the of a to in is not as at'],
  ['symbols', '!@#$%^&*()_+-=[]{}|;\':",./<>?'],
]

describe('any query costs bounded work and gets an answer', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex(FIXTURE_PAGES)
  })
  afterAll(() => index.remove())

  it.each(HOSTILE)('%s', (_, q) => {
    const { lookups, expression } = index.costOf(q)
    expect(lookups).toBeLessThan(MAX_LOOKUPS)
    expect(expression).toBeLessThan(MAX_EXPRESSION)
    expect(index.find(q).length).toBeLessThanOrEqual(FIXTURE_PAGES.length)
  })

  it.each([0, -1, 1e9, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %s', (limit) => {
    const { results } = index.engine.search({ q: '環境', limit })
    expect(results.length).toBeLessThanOrEqual(50)
  })

  it('whatever it is, with marks inside the text they belong to', () => {
    const fragment = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '環境変数',
        'サーバー',
        'かんきょう',
        'useState',
        '--amend',
        '"',
        'NEAR(',
        '*',
        'の',
        '?.',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 6 }), (fragments) => {
        for (const result of index.engine.search({ q: fragments.join('') }).results) {
          expectInside(result.titleMarks, result.title)
          for (const { snippet } of result.sections) expectInside(snippet.marks, snippet.text)
        }
      }),
      { numRuns: 300 },
    )
  })
})

function expectInside(marks: readonly MarkedRange[], text: string): void {
  let last = 0
  for (const [start, end] of marks) {
    expect(start).toBeGreaterThanOrEqual(last)
    expect(end).toBeGreaterThan(start)
    expect(end).toBeLessThanOrEqual(text.length)
    last = end
  }
}
