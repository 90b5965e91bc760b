import { expect, it } from 'vitest'
import { readEditionsText } from './read-editions.ts'

const STAFF = { name: 'staff', audiences: ['staff', 'partner'] }
const PARTNER = { name: 'partner', audiences: ['partner'] }
const EVERYONE = { name: 'everyone', audiences: [] }
const read = (value: unknown) => readEditionsText(JSON.stringify(value))

it('reads editions in their order, and the audiences of paths', () => {
  const { editions, paths } = read({
    editions: [STAFF, PARTNER, EVERYONE],
    paths: { 'docs/ops/**': 'staff' },
  })
  expect(editions).toEqual([STAFF, PARTNER, EVERYONE])
  expect([...paths]).toEqual([['docs/ops/**', 'staff']])
})

it.each([
  ['no JSON', '{', /is not JSON/],
  ['a trailing comma', '{"editions":[],\n}', /is not JSON from line 2, column 1/],
  [
    'a path twice',
    '{"editions":[],"paths":{"a/**":"staff","a/**":"ops"}}',
    /has the key at line 1, column 40 twice/,
  ],
  ['an unknown key', { editions: [EVERYONE], audience: 'x' }, /unknown key "audience"/],
  ['no edition for everybody', { editions: [STAFF] }, /the last edition must have no audiences/],
  ['no edition at all', { editions: [] }, /the last edition must have no audiences/],
  ['two of one name', { editions: [EVERYONE, EVERYONE] }, /two editions are named everyone/],
  ['one that nobody gets', { editions: [PARTNER, STAFF, EVERYONE] }, /no reader ever receives edition staff/],
  [
    'a path of nobody',
    { editions: [PARTNER, EVERYONE], paths: { 'a/**': 'ops' } },
    /paths a\/\*\*: no edition has/,
  ],
  [
    'a name in capitals',
    { editions: [{ name: 'Staff', audiences: [] }] },
    /name: must be up to 40 lower-case/,
  ],
])('refuses %s, and says what to change', (_, value, problem) => {
  expect(() => (typeof value === 'string' ? readEditionsText(value) : read(value))).toThrow(problem)
})
