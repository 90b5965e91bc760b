import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseRange, type RangeChoice } from './byte-range.ts'

const WHOLE: RangeChoice = { kind: 'whole' }
const NONE: RangeChoice = { kind: 'unsatisfiable' }
const part = (first: number, last: number): RangeChoice => ({ kind: 'part', first, last })

it.each<[header: string | null, size: number, choice: RangeChoice]>([
  [null, 100, WHOLE],
  ['bytes=0-0', 100, part(0, 0)],
  ['bytes=0-', 100, part(0, 99)],
  ['Bytes=5-9', 100, part(5, 9)],
  ['bytes=90-200', 100, part(90, 99)],
  ['bytes=-10', 100, part(90, 99)],
  ['bytes=-1000', 100, part(0, 99)],
  ['bytes= 1-2 ', 100, part(1, 2)],
  ['bytes=100-', 100, NONE],
  ['bytes=-0', 100, NONE],
  ['bytes=0-', 0, NONE],
  ['bytes=200-300,400-', 100, NONE],
  ['bytes=0-1,3-4', 100, WHOLE],
  ['bytes=0-1,300-', 100, WHOLE],
  ['bytes=5-3', 100, WHOLE],
  ['bytes=-', 100, WHOLE],
  ['bytes=', 100, WHOLE],
  ['bytes=a-b', 100, WHOLE],
  ['bytes=0x1-2', 100, WHOLE],
  ['bytes=1.5-2', 100, WHOLE],
  ['bytes=--1', 100, WHOLE],
  ['bytes=0-99999999999999999999', 100, WHOLE],
  ['items=0-1', 100, WHOLE],
  ['bytes 0-1', 100, WHOLE],
  [`bytes=${'200-,'.repeat(63)}200-`, 100, NONE],
  [`bytes=${'200-,'.repeat(64)}200-`, 100, WHOLE],
])('Range %s of %i bytes', (header, size, choice) => {
  expect(chooseRange(header, size)).toEqual(choice)
})

it('never names a byte the file does not have', () => {
  const number = fc.oneof(fc.nat(200), fc.constant(''), fc.string())
  fc.assert(
    fc.property(number, number, fc.nat(150), (from, to, size) => {
      const choice = chooseRange(`bytes=${from}-${to}`, size)
      if (choice.kind !== 'part') return
      expect(choice.first).toBeGreaterThanOrEqual(0)
      expect(choice.last).toBeGreaterThanOrEqual(choice.first)
      expect(choice.last).toBeLessThan(size)
    }),
  )
})
