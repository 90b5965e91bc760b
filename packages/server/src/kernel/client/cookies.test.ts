import { describe, expect, it } from 'vitest'
import { readCookie, setCookie } from './cookies.ts'

const SHAPE = /^[A-Za-z0-9_-]{4}$/

const ROWS: readonly (readonly [row: string, header: string | null, kind: string])[] = [
  ['no header', null, 'absent'],
  ['empty header', '', 'absent'],
  ['another cookie', 'theme=dark', 'absent'],
  ['a name that only ends alike', 'xsekisho=abcd', 'absent'],
  ['a name that only begins alike', 'sekisho-reader=abcd', 'absent'],
  ['upper case', 'SEKISHO=abcd', 'absent'],
  ['ours', 'sekisho=abcd', 'present'],
  ['ours among others', 'a=1; sekisho=abcd;b=2', 'present'],
  ['37 bare name', 'sekisho', 'malformed'],
  ['37 empty value', 'sekisho=', 'malformed'],
  ['37 only equals signs', 'sekisho==', 'malformed'],
  ['37 bad characters', 'sekisho=ab%0', 'malformed'],
  ['37 unicode', 'sekisho=がぎぐげ', 'malformed'],
  ['37 over-long', `sekisho=${'a'.repeat(8192)}`, 'malformed'],
  ['38 twice, same value', 'sekisho=abcd; sekisho=abcd', 'malformed'],
  ['38 twice, first empty', 'sekisho=; sekisho=abcd', 'malformed'],
  ['38 twice, second bare', 'sekisho=abcd; sekisho', 'malformed'],
  ['38 quoted', 'sekisho="abcd"', 'malformed'],
  ['38 $Version', '$Version=1; sekisho=abcd; $Path=/', 'present'],
]

describe('readCookie', () => {
  it.each(ROWS)('%s', (_row, header, kind) => {
    expect(readCookie(header, 'sekisho', SHAPE).kind).toBe(kind)
  })
})

describe('setCookie', () => {
  it('sets every attribute the prefix needs', () => {
    expect(setCookie('__Host-sekisho', 'abcd', { secure: true, httpOnly: true, maxAgeSeconds: 60 })).toBe(
      '__Host-sekisho=abcd; Path=/; Max-Age=60; SameSite=Lax; Secure; HttpOnly',
    )
  })
})
