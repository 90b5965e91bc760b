import { describe, expect, it, vi } from 'vitest'
import type { AuditFields, AuditTrail, SimpleEvent } from '../../audit/index.ts'
import { createRefusalSums, sumRefusals } from './refusal-sums.ts'

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

it('writes a bounded number of lines for any number of addresses', () => {
  const summarize = vi.fn()
  const sums = createRefusalSums({ summarize, maxAddresses: 10_000 })
  let lines = 0
  for (let address = 0; address < 9_000; address += 1)
    for (let time = 0; time < 10; time += 1) lines += Number(sums.note(`2001:db8:${address}::`, {}))
  sums.flush()
  expect(lines).toBe(100)
  const counted = summarize.mock.calls.reduce((sum, [{ count }]) => sum + count, 0)
  expect([summarize.mock.calls.length, lines + counted]).toEqual([101, 90_000])
})

describe('the trail', () => {
  function openTrail() {
    const lines: (AuditFields & { readonly event: SimpleEvent })[] = []
    const record = (event: SimpleEvent, fields: AuditFields) => void lines.push({ event, ...fields })
    const summed = sumRefusals({ record } as AuditTrail, () => {})
    return { lines, ...summed }
  }

  it.each<[SimpleEvent, AuditFields]>([
    ['agent_registered', { name: 'client' }],
    ['sign_in_refused', { reason: 'expired', email: null }],
    ['publish_refused', { reason: 'token', by: null }],
    ['publish_refused', { reason: 'release_refused', by: 'token ci (ab12)' }],
    ['publisher_admitted', { by: 'token ci (ab12)', target: 'production' }],
    ['agent_refused', {}],
    ['signed_out', {}],
  ])('sums up %s without an account or of a publisher, from however many networks', (event, fields) => {
    const { lines, audit, flush } = openTrail()
    for (let time = 0; time < 84_000; time += 1)
      audit.record(event, { ...fields, client: `2001:db8:${time % 8_397}::`, request: `r${time}` })
    flush()
    expect(lines.length).toBeLessThan(202)
    const counted = lines.reduce((sum, { count }) => sum + Number(count ?? 1), 0)
    expect(counted).toBe(84_000)
  })

  it.each<[SimpleEvent, AuditFields]>([
    ['agent_refused', { email: 'a@example.co.jp', sub: 'u1', session: 's' }],
    ['agent_ended', { grant: 'g' }],
    ['policy_changed', { client: null }],
  ])('has a line for each %s of an account or a grant', (event, fields) => {
    const { lines, audit } = openTrail()
    for (let time = 0; time < 300; time += 1) audit.record(event, { client: '192.0.2.1', ...fields })
    expect(lines).toHaveLength(300)
  })

  it('has at most 100 characters of a text that a stranger sent', () => {
    const { lines, audit } = openTrail()
    audit.record('sign_in_refused', {
      ...{ reason: `authorization ${'x'.repeat(6_500)}`, email: '😀'.repeat(99) },
      client: '192.0.2.1',
    })
    expect([String(lines[0]?.reason).length, String(lines[0]?.email).length]).toEqual([101, 101])
  })
})
