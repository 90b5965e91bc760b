import { expect, it } from 'vitest'
import { dayInJapan, writeDay } from './japanese-day.ts'

it.each([
  ['2026-01-01T14:59:59Z', '2026-01-01', '2026年1月1日'],
  ['2026-01-01T15:00:00Z', '2026-01-02', '2026年1月2日'],
])('%s is %s in Japan', (moment, day, written) => {
  expect(dayInJapan(Date.parse(moment))).toBe(day)
  expect(writeDay(day)).toBe(written)
})
