import { expect, it } from 'vitest'
import type { Account } from './accounts/account.ts'
import { pickerPage, pickerPolicy } from './pages.ts'

const HOSTILE = `"><script>alert('x')</script>`

function account(change: Partial<Account>): Account {
  const base = {
    localId: 'a',
    email: 'a@sekisho.example',
    emailVerified: true,
    displayName: 'A',
    photoUrl: null,
  }
  return { ...base, disabled: false, googleId: 'g', createdAtMs: 0, lastLoginAtMs: 0, ...change }
}

it('escapes whatever an account is called', () => {
  const page = pickerPage([
    account({ displayName: HOSTILE, email: `${HOSTILE}@x.example`, googleId: HOSTILE }),
  ])
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toContain('&#34;&#62;&#60;script&#62;')
})

it('keeps members apart from accounts that will be refused', () => {
  const page = pickerPage([
    account({ displayName: 'member' }),
    account({ email: 'b@partner.example', displayName: 'guest' }),
  ])
  expect(page.indexOf('member')).toBeLessThan(page.indexOf('id="others"'))
  expect(page.indexOf('guest')).toBeGreaterThan(page.indexOf('id="others"'))
})

it('leaves out of the claims what an account does not have', () => {
  const page = pickerPage([account({ displayName: null, email: null })])
  expect(page).not.toContain('null')
})

it('allows one script, one style and nothing inline', () => {
  const policy = pickerPolicy('http://localhost:3000')
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain('script-src http://localhost:3000/emulator/sekisho/picker.js;')
})
