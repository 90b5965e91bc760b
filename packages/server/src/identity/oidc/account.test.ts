import { describe, expect, it } from 'vitest'
import { readAccount } from './account.ts'
import type { OidcSettings } from './oidc-settings.ts'
import { VENDORS } from './vendors.ts'

const TENANT = '6f1c2b34-0000-4000-8000-00000000abcd'
const DOMAINS = ['example.co.jp']
const ISSUERS: Readonly<Partial<Record<keyof typeof VENDORS, string>>> = {
  entra: `https://login.microsoftonline.com/${TENANT}/v2.0`,
}

function settingsOf(vendor: keyof typeof VENDORS, domains: readonly string[]): OidcSettings {
  return {
    ...{ name: vendor, label: 'Test', vendor: VENDORS[vendor], issuer: ISSUERS[vendor] ?? 'https://op.test' },
    ...{
      clientId: 'portal',
      credential: { secret: 's' },
      scopes: 'openid',
      groupsClaim: 'groups',
      asksForGroups: false,
    },
    ...{ tokenAuth: null, domains, isFirst: true },
  }
}

function accountOf(vendor: keyof typeof VENDORS, claims: object, domains: readonly string[] = DOMAINS) {
  const ids = { sub: 'hana', tid: TENANT, oid: 'aa', hd: 'example.co.jp' }
  const reading = readAccount({ ...ids, email: 'hana@example.co.jp', ...claims }, settingsOf(vendor, domains))
  if (!reading.ok) throw new Error(reading.reason)
  return reading.identity
}

const isVouched = (...args: Parameters<typeof accountOf>) => accountOf(...args).vouched.address
const VENDOR_NAMES = Object.keys(VENDORS) as (keyof typeof VENDORS)[]

describe('email_verified', () => {
  /** Google, Okta and Keycloak send a boolean, Entra nothing; Cognito and Apple, which send texts, have no row here. */
  const NOT_TRUE = [
    false,
    'false',
    'true',
    'TRUE',
    'no',
    'yes',
    '',
    0,
    1,
    '1',
    null,
    {},
    [],
    [true],
    { a: 1 },
  ]

  it.each(VENDOR_NAMES)('45 counts at %s when it is true, and never as anything else', (vendor) => {
    expect(isVouched(vendor, { email_verified: true })).toBe(true)
    for (const value of NOT_TRUE)
      for (const domains of [DOMAINS, []])
        expect([value, isVouched(vendor, { email_verified: value }, domains)]).toEqual([value, false])
  })

  it.each([
    ['entra', true, true],
    ['oidc', true, false],
    ['google', false, false],
    ['okta', false, false],
    ['keycloak', false, false],
  ] as const)(
    'may be absent at %s only as its documentation or the operator says',
    (vendor, withDomains, without) => {
      expect([isVouched(vendor, {}, DOMAINS), isVouched(vendor, {}, [])]).toEqual([withDomains, without])
    },
  )
})

describe('xms_edov', () => {
  it.each([true, 1, '1', 'true'])('%j says that the domain is verified', (value) => {
    expect(isVouched('entra', { xms_edov: value })).toBe(true)
  })

  it.each([false, 0, '0', 'false', 'no', null, {}, [], 2])('48 %j does not', (value) => {
    for (const domains of [DOMAINS, []]) expect(isVouched('entra', { xms_edov: value }, domains)).toBe(false)
  })
})

describe('preferred_username', () => {
  const renamed = { email: undefined, preferred_username: 'ceo@example.co.jp' }

  it('is the address of an account of Entra', () => {
    expect(accountOf('entra', renamed)).toMatchObject({
      email: 'ceo@example.co.jp',
      vouched: { address: true },
    })
  })

  it.each(VENDOR_NAMES.filter((name) => name !== 'entra'))(
    '48 is no address at %s, whatever goes with it',
    (vendor) => {
      for (const claims of [renamed, { ...renamed, email_verified: true }])
        expect(accountOf(vendor, claims)).toMatchObject({ email: 'hana', vouched: { address: false } })
    },
  )
})

it.each(['', 0, true, {}, ['example.co.jp']])('48 hd %j names no company', (hd) => {
  expect(isVouched('google', { email_verified: true, hd }, [])).toBe(false)
})

const manyGroups = (length: number) => Array.from({ length }, (_, index) => `g${index}`)

it.each([
  ['oidc', { groups: ['a'] }, true, ['oidc:a']],
  ['oidc', { groups: 'a' }, false, []],
  ['oidc', { groups: { a: true } }, false, []],
  ['oidc', { groups: manyGroups(1_001) }, false, []],
  ['entra', { groups: ['a'], hasgroups: true }, false, []],
  ['entra', { groups: ['a'], _claim_names: { groups: 'src1' } }, false, []],
  ['entra', { hasgroups: true, roles: ['writer'] }, false, ['entra:role:writer', 'role:writer']],
  ['okta', { groups: manyGroups(100) }, false, []],
] as const)('takes no list of groups at %s for all of them that is cut, odd or too long: %j', (...row) => {
  const [vendor, claims, hasAllGroups, groups] = row
  expect(accountOf(vendor, claims).vouched).toMatchObject({ hasAllGroups, groups })
})
