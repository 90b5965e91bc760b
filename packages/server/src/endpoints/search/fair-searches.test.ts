import { expect, it } from 'vitest'
import { createFairSearches } from './fair-searches.ts'

const JOB = { file: 'x', sha256: 'x', query: { q: 'a' } }
const FOUND = { json: '{}', hits: 0, pages: [] }

it('an account that searches with twenty tokens delays another by two searches at most', async () => {
  const order: string[] = []
  const ends: (() => void)[] = []
  const searches = createFairSearches({
    run: () => new Promise((resolve) => ends.push(() => resolve(FOUND))),
  })
  const ask = (sub: string) =>
    searches.run({ issuer: 'https://issuer.test', sub }, JOB).then(() => order.push(sub))
  const all = [...Array.from({ length: 20 }, () => ask('greedy')), ask('colleague')]
  while (order.length < all.length) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  expect(order.indexOf('colleague')).toBeLessThanOrEqual(3)
})

it('no account has more than 64 searches at once, nor fills the queue for others', async () => {
  const searches = createFairSearches({ run: () => new Promise(() => {}) })
  const ask = (sub: string, issuer = 'https://issuer.test') => searches.run({ issuer, sub }, JOB)
  for (let time = 0; time < 64; time += 1) void ask('greedy')
  await expect(ask('greedy')).rejects.toThrow('too many searches')
  const others = [ask('colleague'), ask('greedy', 'https://other.test')]
  const refused = Promise.race(others).catch(() => 'refused')
  expect(await Promise.race([refused, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe(
    'waits',
  )
})
