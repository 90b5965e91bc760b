import { expect, it } from 'vitest'
import { createSeal } from '../../state/sessions/index.ts'
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

const STATE = 's'.repeat(43)
const REST = { nonce: 'n', codeVerifier: 'v', returnTo: '/', isSilent: false }

function setUp() {
  let nowMs = 1_000_000
  const options = { seal: createSeal('k'.repeat(32)), secure: true, provider: 'oidc', now: () => nowMs }
  const transactions = createTransactions(options)
  const begin = (state: string) => {
    const began = { ...REST, startedAtMs: nowMs }
    const [cookie = ''] = transactions.begin(state, began, { headers: new Headers() }).slice(-1)
    return new Request('https://portal.test/', { headers: { Cookie: cookie.split(';')[0] ?? '' } })
  }
  return { transactions, begin, wait: (ms: number) => (nowMs += ms) }
}

it('600 invented codes for one sign-in are one transaction, and so at most one request to the provider', () => {
  const { transactions, begin } = setUp()
  const request = begin(STATE)
  const taken = Array.from({ length: 600 }, () => transactions.take(STATE, request).transaction)
  expect(taken.filter((one) => one !== null)).toHaveLength(1)
})

it('a transaction counts for ten minutes, and two tabs do not disturb each other', () => {
  const { transactions, begin, wait } = setUp()
  const [other, late] = ['o'.repeat(43), 'l'.repeat(43)]
  const requests = [STATE, other, late].map((state) => [state, begin(state)] as const)
  const found = requests.slice(0, 2).map(([state, request]) => transactions.take(state, request).transaction)
  expect(found).toMatchObject([REST, REST])
  wait(600_000)
  expect(requests.map(([state, request]) => transactions.take(state, request).transaction)).toEqual([
    null,
    null,
    null,
  ])
})

it('a transaction counts for the provider with which it began, and not before it began', () => {
  const seal = createSeal('k'.repeat(32))
  const of = (provider: string, nowMs: number) =>
    createTransactions({ seal, secure: true, provider, now: () => nowMs })
  const [cookie = ''] = of('entra', 1_000).begin(STATE, { ...REST, startedAtMs: 1_000 }, new Response())
  const request = new Request('https://portal.test/', { headers: { Cookie: cookie.split(';')[0] ?? '' } })
  expect(of('okta', 1_000).take(STATE, request).transaction).toBeNull()
  expect(of('entra', 999).take(STATE, request).transaction).toBeNull()
  expect(of('entra', 1_000).take(STATE, request).transaction).toMatchObject(REST)
})

it('an unknown state uses up nothing', () => {
  const { transactions, begin } = setUp()
  const request = begin(STATE)
  expect(transactions.take('x'.repeat(43), request).transaction).toBeNull()
  expect(transactions.take(STATE, request).transaction).not.toBeNull()
})
