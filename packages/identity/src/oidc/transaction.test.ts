import { createSeal } from '@sekisho/state/sessions'
import { expect, it } from 'vitest'
import { createTransactions } from './transaction.ts'

const BEGUN = {
  nonce: 'n',
  codeVerifier: 'v',
  returnTo: `/${'a'.repeat(1_499)}`,
  isSilent: false,
  startedAtMs: 1,
}

it('a browser that leaves sixty sign-ins unfinished goes on sending few cookies, the newest ones', () => {
  const options = { seal: createSeal('s'.repeat(32)), secure: true, provider: 'oidc', now: () => 1 }
  const transactions = createTransactions(options)
  const jar = new Map([['__Host-sekisho', 'session']])
  const states = Array.from({ length: 60 }, (_, at) => `state-${String(at).padStart(2, '0')}`)
  const headers = () => new Headers({ Cookie: [...jar].map((pair) => pair.join('=')).join('; ') })
  for (const state of states) {
    for (const cookie of transactions.begin(state, BEGUN, { headers: headers() })) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (cookie.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    }
    expect(headers().get('cookie')?.length).toBeLessThan(14_000)
  }
  expect([...jar.keys()]).toEqual([
    '__Host-sekisho',
    ...states.slice(-5).map((state) => `__Host-sekisho-sign-in-${state}`),
  ])
})
