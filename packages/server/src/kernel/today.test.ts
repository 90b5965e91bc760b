import { expect, it } from 'vitest'
import { createToday } from './today.ts'

it.each([
  ['Asia/Tokyo', '2026-11-24'],
  ['UTC', '2026-11-23'],
  ['America/Los_Angeles', '2026-11-23'],
])('is the day of the portal’s own time zone, %s', (timeZone, day) => {
  expect(createToday({ now: () => Date.UTC(2026, 10, 23, 17, 50), timeZone })()).toBe(day)
})
