import type { Refusal } from '@sekisho/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from './monitoring/log.ts'
import { createRefusalLog, createRefusalResponse } from './wire-refusals.ts'

const ORIGIN = new URL('http://localhost:3000')
const MISDIRECTED: Refusal = { status: 400, reason: 'Host "127.0.0.1:3000"', isMisdirected: true }
const MALFORMED: Refusal = { status: 400, reason: 'no valid request line', isMisdirected: false }

describe('createRefusalResponse', () => {
  it("locally, answers requests for another name with the portal's address, and nothing else", async () => {
    const response = createRefusalResponse({ local: true })(MISDIRECTED, ORIGIN)
    expect(response.status).toBe(421)
    expect(await response.text()).toBe('開くアドレス: http://localhost:3000/\n')
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(response.headers.get('Location')).toBeNull()
  })

  it.each([
    ['in production', false, MISDIRECTED, ORIGIN],
    ['what is malformed', true, MALFORMED, ORIGIN],
    ['before it knows its address', true, MISDIRECTED, null],
  ])('says nothing %s', async (_row, local, refusal, origin) => {
    const response = createRefusalResponse({ local })(refusal, origin)
    expect([response.status, await response.text()]).toEqual([400, ''])
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  })
})

describe('createRefusalLog', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = () => {
    const lines: unknown[] = []
    const log = createLog({ level: 'warn', write: (line) => lines.push(JSON.parse(line)), now: () => 0 })
    return { lines, refusals: createRefusalLog(log) }
  }

  it('warns of each refusal with its reason', () => {
    const { lines, refusals } = start()
    refusals.note({ ...MALFORMED, reason: 'Host "\\u001b[2Jx"' }, '192.0.2.1')
    expect(lines).toEqual([
      {
        at: '1970-01-01T00:00:00.000Z',
        level: 'warn',
        event: 'request_refused',
        status: 400,
        reason: 'Host "\\u001b[2Jx"',
        client: '192.0.2.1',
      },
    ])
  })

  it('sums up a flood minute by minute', () => {
    const { lines, refusals } = start()
    const flood = () => {
      for (let count = 0; count < 1_000; count += 1) refusals.note(MALFORMED, '192.0.2.1')
    }
    const sum = { event: 'more_requests_refused', client: '192.0.2.1', status: 400, count: 999 }
    flood()
    expect(lines).toHaveLength(1)
    vi.advanceTimersByTime(60_000)
    expect(lines.slice(1)).toMatchObject([sum])
    vi.advanceTimersByTime(600_000)
    expect(lines).toHaveLength(2)
    flood()
    refusals.flush()
    expect(lines.slice(2)).toMatchObject([{ event: 'request_refused' }, sum])
  })

  it('sums up nothing when every refusal was said', () => {
    const { lines, refusals } = start()
    for (const client of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) refusals.note(MALFORMED, client)
    vi.advanceTimersByTime(60_000)
    expect(lines).toHaveLength(3)
  })
})
