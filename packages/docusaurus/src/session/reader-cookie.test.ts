import { describe, expect, it } from 'vitest'
import { readReaderCookie } from './reader-cookie.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const TARO = encode({ email: 'taro@example.com', name: '関所 太郎' })

describe('readReaderCookie', () => {
  it.each([
    ['http', `sekisho-reader=${TARO}`, false, { email: 'taro@example.com', name: '関所 太郎' }],
    [
      'among others',
      `a=b; sekisho-reader=${TARO}; c=d`,
      false,
      { email: 'taro@example.com', name: '関所 太郎' },
    ],
    ['https', `__Host-sekisho-reader=${TARO}`, true, { email: 'taro@example.com', name: '関所 太郎' }],
    ['no name', `sekisho-reader=${encode({ email: 'a@b.test' })}`, false, { email: 'a@b.test', name: null }],
    ['a cookie without the prefix on https', `sekisho-reader=${TARO}`, true, null],
    ['two of them', `sekisho-reader=${TARO}; sekisho-reader=${TARO}`, false, null],
    ['no email', `sekisho-reader=${encode({ name: 'x' })}`, false, null],
    ['an empty email', `sekisho-reader=${encode({ email: '' })}`, false, null],
    ['no JSON', 'sekisho-reader=eHg', false, null],
    ['no base64', 'sekisho-reader=%%%', false, null],
    ['no UTF-8', 'sekisho-reader=gICA', false, null],
    ['nothing', '', false, null],
  ])('%s', (_what, cookies, isHttps, reader) => {
    expect(readReaderCookie(cookies, isHttps)).toEqual(reader)
  })
})
