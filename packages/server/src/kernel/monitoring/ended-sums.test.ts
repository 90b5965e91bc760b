import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AuditFields, SimpleEvent } from '../../audit/index.ts'
import { sumEnded } from './ended-sums.ts'

let lines: (AuditFields & { readonly event: SimpleEvent })[]
let isClosed: boolean
const audit = {
  record(event: SimpleEvent, fields: AuditFields) {
    if (isClosed) throw new Error('the audit trail cannot be written')
    lines.push({ event, ...fields })
  },
}
beforeEach(() => {
  lines = []
  isClosed = false
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const endAll = (count: number, by = 'operator') => {
  for (let n = 0; n < count; n += 1)
    sums.note('session_revoked', { id: `s${n}`, email: `p${n}@example.co.jp` }, { by })
}
let sums: ReturnType<typeof sumEnded>
beforeEach(() => {
  sums = sumEnded(audit)
})

it('names each session that ended, up to a thousand of one cause, and counts the others', () => {
  endAll(20_000)
  endAll(2, 'revalidation')
  expect(lines).toHaveLength(1_002)
  expect(lines[999]).toEqual({
    ...{ event: 'session_revoked', email: 'p999@example.co.jp', session: 's999', by: 'operator' },
  })
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(1_002)).toEqual([{ event: 'session_revoked', by: 'operator', sessions: 19_000 }])
  endAll(1)
  expect(lines).toHaveLength(1_004)
})

it('loses none while the trail takes no line', () => {
  isClosed = true
  endAll(5)
  vi.advanceTimersByTime(60_000)
  isClosed = false
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([{ event: 'session_revoked', by: 'operator', sessions: 5 }])
})
