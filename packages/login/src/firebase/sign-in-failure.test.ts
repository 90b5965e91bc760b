import { expect, it } from 'vitest'
import { classifySignInFailure } from './sign-in-failure.ts'

const failure = (code: string): Error => Object.assign(new Error(`Firebase: Error (${code}).`), { code })

it.each([
  ['auth/popup-closed-by-user', 'failed'],
  ['auth/cancelled-popup-request', 'cancelled'],
  ['auth/user-cancelled', 'failed'],
  ['auth/user-disabled', 'barred'],
  ['auth/popup-blocked', 'failed'],
  ['auth/internal-error', 'failed'],
  ['auth/network-request-failed', 'failed'],
  ['auth/unauthorized-domain', 'failed'],
  ['auth/something-new', 'failed'],
])('%s is %s', (code, kind) => {
  expect(classifySignInFailure(failure(code)).kind).toBe(kind)
})

it('keeps the words of whatever was thrown', () => {
  expect(classifySignInFailure(failure('auth/internal-error'))).toMatchObject({
    message: 'Firebase: Error (auth/internal-error).',
  })
  expect(classifySignInFailure('plain text')).toEqual({ kind: 'failed', message: 'plain text' })
})
