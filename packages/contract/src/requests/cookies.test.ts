import { expect, it } from 'vitest'
import { cookieNames } from './cookies.ts'

it('binds both cookies to the host over https only', () => {
  expect(cookieNames(true)).toEqual({ session: '__Host-sekisho', reader: '__Host-sekisho-reader' })
  expect(cookieNames(false)).toEqual({ session: 'sekisho', reader: 'sekisho-reader' })
})
