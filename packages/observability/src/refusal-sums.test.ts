import { expect, it, vi } from 'vitest'
import { createRefusalSums } from './refusal-sums.ts'

it('gives the first of a kind a line, and one line a minute to the others', () => {
  vi.useFakeTimers()
  const summarize = vi.fn()
  const sums = createRefusalSums({ summarize })
  const flood = () =>
    Array.from({ length: 100 }, () => sums.note('192.0.2.1', { status: 401 })).filter(Boolean)
  expect(flood()).toHaveLength(1)
  expect(sums.note('192.0.2.1', { status: 429 })).toBe(true)
  expect(sums.note('192.0.2.2', { status: 401 })).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(summarize.mock.calls).toEqual([[{ client: '192.0.2.1', status: 401, count: 99 }]])
  expect(flood()).toHaveLength(1)
  vi.useRealTimers()
})

it('writes a bounded number of lines for any number of addresses and kinds', () => {
  const summarize = vi.fn()
  const sums = createRefusalSums({ summarize, maxAddresses: 3 })
  let lines = 0
  for (let address = 0; address < 1_000; address += 1) {
    for (let kind = 0; kind < 100; kind += 1) lines += Number(sums.note(`192.0.2.${address}`, { kind }))
  }
  sums.flush()
  expect(lines).toBe(3 * 8)
  expect(summarize.mock.calls).toEqual([
    [{ client: '192.0.2.0', count: 92 }],
    [{ client: '192.0.2.1', count: 92 }],
    [{ client: '192.0.2.2', count: 92 }],
    [{ client: null, count: 99_700 }],
  ])
})
