import { describe, expect, it, vi } from 'vitest'
import type { AuditFields, AuditTrail, Reading, SimpleEvent } from '../../audit/index.ts'
import { boundTrail, createRefusalSums, TooManyActsError } from './refusal-sums.ts'

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
    const lines: (AuditFields & { readonly event: string })[] = []
    const record = (event: SimpleEvent, fields: AuditFields) => void lines.push({ event, ...fields })
    let deferred = 0
    const trail = {
      record,
      recordDurably: async (...line: Parameters<typeof record>) => record(...line),
      recordReading({ event, path, reader: { sub, id } }: Reading) {
        lines.push({ event, path, sub, session: id })
        return null
      },
      defer() {
        deferred += 1
        return null
      },
    } as Partial<AuditTrail> as AuditTrail
    const bound = boundTrail({ trail, now: () => 0, onFailure() {} })
    return { lines, deferred: () => deferred, ...bound }
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

  it('has a line for each first reading of a session, and one an hour for what an account repeats without end', () => {
    const { lines, deferred, audit, flush } = openTrail()
    const readAs = (sub: string, id: string, path: string, times = 1) => {
      const reader = { email: `${sub}@example.co.jp`, issuer: 'https://id', sub, id }
      for (let time = 0; time < times; time += 1)
        audit.recordReading({ event: 'page_read', reader, path, release: 'r1', request: `r${time}` })
    }
    readAs('flood', 's1', '/docs/a', 50_000)
    readAs('flood', 's1', '/docs/b', 50_000)
    readAs('flood', 's2', '/docs/a', 50_000)
    readAs('other', 's3', '/docs/a', 10)
    const known = new Set(lines.map(({ path, session }) => `${session} ${path}`))
    expect([...known]).toEqual(['s1 /docs/a', 's1 /docs/b', 's2 /docs/a', 's3 /docs/a'])
    expect(lines).toHaveLength(3_000 + 3 + 10)
    expect(deferred()).toBe(150_000 - 3_003) // held while the disk is slow, refused while the trail is shut
    flush()
    expect(lines.at(-1)).toMatchObject({
      ...{ event: 'readings_repeated', sub: 'flood', count: 150_000 - 3_003 },
      readings: ['page_read /docs/b 49999', 'page_read /docs/a 49999', 'page_read /docs/a 46999'],
    })
    readAs('flood', 's1', '/docs/a', 10)
    expect(lines).toHaveLength(3_013 + 1 + 10)
  })

  it.each([
    ['account', { issuer: 'https://id', sub: 'u1', session: 's' }],
    ['publisher', { by: 'token ci (ab12)' }],
  ])('refuses the acts that an %s repeats without end, and no other act', async (_row, owner) => {
    const { lines, audit } = openTrail()
    const act = () => audit.recordDurably('viewing_as_began', owner)
    const done = await Promise.allSettled(Array.from({ length: 1_000 }, act))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
    await expect(act()).rejects.toBeInstanceOf(TooManyActsError)
    await audit.recordDurably('viewing_as_ended', owner)
    for (let time = 0; time < 100; time += 1) await audit.recordDurably('gate_started', {})
    expect(lines).toHaveLength(60 + 1 + 100)
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
