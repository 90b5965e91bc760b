import { expect, it } from 'vitest'
import { createTokenBudget } from './answer-limits.ts'

const DAY_MS = 86_400_000

it('counts the tokens of all gates with each use, and its own while the database is away', async () => {
  const sums = new Map<number, number>()
  let isAway = false
  const shared = {
    async add(day: number, amount: number) {
      if (isAway) throw new Error('the database is away')
      sums.set(day, (sums.get(day) ?? 0) + amount)
      return sums.get(day) ?? 0
    },
  }
  let nowMs = 20_000 * DAY_MS
  const [one, other] = [
    createTokenBudget(100, shared, () => nowMs),
    createTokenBudget(100, shared, () => nowMs),
  ]
  one.spend(60)
  other.spend(50)
  await expect.poll(() => [one.hasRoom(), other.hasRoom()]).toEqual([true, false])
  nowMs += DAY_MS
  expect(other.hasRoom()).toBe(true)
  isAway = true
  other.spend(100)
  expect(other.hasRoom()).toBe(false)
})
