import { expect, it } from 'vitest'
import type { Exchange } from './boundary.ts'
import { createLog } from './monitoring/log.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { createObserver } from './observer.ts'

it.each([
  ['a stranger', { isReader: false }, undefined, ['request', 'more_requests']],
  ['a stranger who meets a fault', { isReader: false }, new Error('down'), ['fault', 'more_faults']],
  ['a reader', { isReader: true, account: 'a' }, undefined, [...Array(601).fill('request'), 'more_requests']],
  [
    'a reader who meets a fault',
    { isReader: true },
    new Error('down'),
    [...Array(61).fill('fault'), 'more_faults'],
  ],
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
  expect(lines.at(-1)?.count).toBe(1_001 - events.length)
})
