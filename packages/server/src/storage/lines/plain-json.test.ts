import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainJson } from './plain-json.ts'

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u2028', '\u202e"\\', '\u0085\n'),
)
const anyValue = fc.oneof(
  anyText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.object(),
  fc.constant(undefined),
)
const anyName = fc.constantFrom('email', 'path', 'status', 'ms', 'error')

it('writes what JSON would parse again, on one line that moves no cursor', () => {
  fc.assert(
    fc.property(fc.dictionary(anyName, anyValue, { noNullPrototype: true }), (fields) => {
      const line = plainJson(fields)
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(fields)))
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u)
    }),
  )
})
