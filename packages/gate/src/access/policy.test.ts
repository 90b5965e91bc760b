import { describe, expect, it } from 'vitest'
import { admits, readPolicy } from './policy.ts'

const { policy } = readPolicy(['example.co.jp'], ['guest@partner.test'])

const ADMITTED = [
  'a@example.co.jp',
  'a@EXAMPLE.co.jp',
  'A.B+tag@example.co.jp',
  'guest@partner.test',
  'GUEST@partner.test',
]

/** Row 47 of the threat catalogue: addresses that some parser somewhere reads as ours. */
const REFUSED = [
  '',
  '@',
  'example.co.jp',
  '@example.co.jp',
  'a@',
  'a@evil.com@example.co.jp',
  'a@example.co.jp@evil.com',
  '"a@example.co.jp"@evil.com',
  '"a"@example.co.jp',
  'a@example.co.jp.evil.com',
  'a@sub.example.co.jp',
  'a@notexample.co.jp',
  'a@example.co.jp.',
  'a@.example.co.jp',
  'a@example..co.jp',
  'a.@example.co.jp',
  '.a@example.co.jp',
  'a..b@example.co.jp',
  'a@example.co.jp,b@evil.com',
  'b@evil.com,a@example.co.jp',
  'a@evil.com a@example.co.jp',
  ' a@example.co.jp',
  'a@example.co.jp ',
  'a@example.co.jp\n',
  'a@example.co.jp\0',
  'a\0@example.co.jp',
  'a@example.co.jp\0.evil.com',
  'a＠example.co.jp',
  'a@ｅxample.co.jp',
  'a@еxample.co.jp',
  'a@example。co.jp',
  'a@xn--example.co.jp.evil.com',
  'á@example.co.jp',
  '\u212Aa@example.co.jp',
  'a@exam\u200Bple.co.jp',
  'a(comment)@example.co.jp',
  'a@[127.0.0.1]',
  '<a@example.co.jp>',
  'a@example.co.jp>',
  'other@partner.test',
  `${'a'.repeat(65)}@example.co.jp`,
  `a@${'a.'.repeat(150)}example.co.jp`,
]

describe('admits', () => {
  it.each(ADMITTED)('47 lets %s in', (address) => expect(admits(policy, address)).toBe(true))
  it.each(REFUSED)('47 keeps %j out', (address) => expect(admits(policy, address)).toBe(false))

  it('admits nobody by an empty policy', () => {
    expect(admits(readPolicy([], []).policy, 'a@example.co.jp')).toBe(false)
  })
})

describe('readPolicy', () => {
  it.each(['*', '*.co.jp', '@example.co.jp', 'jp', 'localhost', 'example.co.jp/x', 'пример.рф'])(
    'reports the domain %j',
    (domain) => {
      const reading = readPolicy([domain], [])
      expect(reading.problems).toHaveLength(1)
      expect(reading.policy.domains.size).toBe(0)
    },
  )

  it('reports addresses too', () => {
    expect(readPolicy([], ['nobody', 'a@example.co.jp']).problems).toEqual(['"nobody" is not an address'])
  })
})
