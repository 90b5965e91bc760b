import { describe, expect, it } from 'vitest'
import { admits, groupsOf, isOwner, readPolicy } from './policy.ts'
import { isPreviewReader } from './preview-policy.ts'

const by = (email: string) => ({ email, vouched: { address: true, groups: [], hasAllGroups: true } })

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
  it.each(ADMITTED)('47 lets %s in', (address) => expect(admits(policy, by(address))).toBe(true))
  it.each(REFUSED)('47 keeps %j out', (address) => expect(admits(policy, by(address))).toBe(false))

  it('admits no reader by an empty policy', () => {
    expect(admits(readPolicy([], []).policy, by('a@example.co.jp'))).toBe(false)
  })

  it('49 lets accounts of the issuers in that are told, and of no other', () => {
    const told = { ...policy, issuers: new Set(['https://sso.test']) }
    const of = (issuer?: string) => ({ ...by('a@example.co.jp'), ...(issuer !== undefined && { issuer }) })
    expect([of('https://sso.test'), of('https://gone.test'), of()].map((who) => admits(told, who))).toEqual([
      ...[true, false, false],
    ])
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
    expect(readPolicy([], ['nobody', 'a@example.co.jp']).problems.map(String)).toEqual([
      '"nobody" is not an address',
    ])
  })
})

describe('groups', () => {
  const groups = {
    sre: ['entra:1f-2', 'role:docs.sre', 'a@partner.test', '@sre.example.co.jp', 'owner:@acme/sre'],
    ops: ['okta:Ops 運用'],
  }
  const { policy: grouped, problems } = readPolicy(['example.co.jp'], [], groups)
  const who = (email: string, ids: readonly string[] = [], address = true) => ({
    email,
    vouched: { address, groups: ids, hasAllGroups: true },
  })

  it.each([
    ['an id', who('x@nowhere.test', ['entra:1f-2']), ['sre']],
    ['a role', who('x@nowhere.test', ['role:docs.sre']), ['sre']],
    ['an id with spaces', who('x@nowhere.test', ['okta:Ops 運用']), ['ops']],
    ['an address', who('A@partner.test'), ['sre']],
    ['a domain', who('x@sre.example.co.jp'), ['sre']],
    ['the same id of another provider', who('x@nowhere.test', ['okta:1f-2']), []],
    ['a role of a provider that is not the first', who('x@nowhere.test', ['okta:role:docs.sre']), []],
    ['nOAuth: an address nobody vouches for', who('a@partner.test', [], false), []],
    ['a domain within a domain', who('x@deep.sre.example.co.jp'), []],
  ] as const)('are found by %s', (_row, reader, names) => {
    expect([...groupsOf(grouped, reader)]).toEqual(names)
    expect(admits(grouped, reader)).toBe(names.length > 0)
  })

  it.each([
    ['the name of a group', who('A@partner.test'), 'x@nowhere.test, sre', true],
    ['a group that stands for it', who('x@nowhere.test', ['entra:1f-2']), '@acme/sre', true],
    ['an address', who('B@example.co.jp'), '@acme/docs, b@example.co.jp', true],
    ['nOAuth: an address nobody vouches for', who('b@example.co.jp', [], false), 'b@example.co.jp', false],
    ['a team that no group stands for', who('a@partner.test'), '@acme/ops', false],
    ['the name of a group of others', who('b@example.co.jp'), 'sre', false],
    ['an id that a provider made like it', who('x@nowhere.test', ['owner:@acme/sre']), '@acme/sre', false],
    ['a part of a name', who('a@partner.test'), 'the sre team', false],
  ] as const)('make an owner of a page by %s', (_row, reader, owner, expected) => {
    expect(isOwner(grouped, reader, groupsOf(grouped, reader), owner)).toBe(expected)
  })

  it('never widen what a preview names', () => {
    const only = readPolicy([], ['a@partner.test']).policy
    expect(admits({ ...grouped, only }, who('x@nowhere.test', ['entra:1f-2']))).toBe(false)
    expect(admits({ ...grouped, only }, who('b@example.co.jp'))).toBe(false)
    expect(admits({ ...grouped, only }, who('a@partner.test'))).toBe(true)
    expect(admits({ ...grouped, only }, who('a@partner.test', ['entra:1f-2'], false))).toBe(false)
    const isReader = (emails: readonly string[], address: boolean) =>
      isPreviewReader(who('a@partner.test', [], address), { readers: { domains: [], emails } })
    expect(isReader(['a@partner.test'], true)).toBe(true)
    expect(isReader(['a@partner.test'], false)).toBe(false)
    expect(isReader(['a@partner.test', 'no address'], true)).toBe(false)
  })

  it('are read strictly', () => {
    expect(problems).toEqual([])
    expect(readPolicy([], [], { SRE: ['x'] }).problems).toHaveLength(2)
    expect(readPolicy([], [], { sre: ['Entra:1', 'entra:', '@'] }).problems).toHaveLength(3)
  })
})
