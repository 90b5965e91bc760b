import { expect, it, vi } from 'vitest'
import type { Exchange } from '../frame/boundary.ts'
import { createObserver } from '../frame/observer.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
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

it.each([
  ['a stranger', { isReader: false }, undefined, ['request', 'more_requests']],
  ['a stranger who meets a fault', { isReader: false }, new Error('down'), ['fault', 'more_faults']],
  ['a reader', { isReader: true }, undefined, Array(1_000).fill('request')],
])('1,000 requests of %s are in the log as they should', (_row, who, fault, events) => {
  const lines: { event: string; count?: number }[] = []
  const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)), now: () => 0 })
  const { observe, flush } = createObserver(log, createMetrics())
  const request = new Request('https://portal.test/docs')
  const context = { clientAddress: '192.0.2.1', requestId: 'r', ...who }
  const exchange: Exchange = { request, context, status: 401, durationMs: 1, fault }
  for (let count = 0; count < 1_000; count += 1) observe(exchange)
  flush()
  expect(lines.map(({ event }) => event)).toEqual(events)
  expect(lines.at(-1)?.count).toBe(who.isReader ? undefined : 999)
})
