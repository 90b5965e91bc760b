import type { Message } from '@sekisho/contract/language'
import { found } from './finding.ts'

/** Gates refuse to work with a database whose clock is further off, and issuers' tokens are of a few minutes. */
const MAX_DIFFERENCE_MS = 30_000

/** Reports a clock difference beyond a gate's tolerance. */
export function findClockDifference(source: string, theirsMs: number, oursMs: number): readonly Message[] {
  const differenceMs = oursMs - theirsMs
  if (!(Math.abs(differenceMs) > MAX_DIFFERENCE_MS)) return []
  return [found('clock_differs', source, Math.round(Math.abs(differenceMs) / 1_000), differenceMs > 0)]
}

/** The same from the Date header of a response, which has whole seconds. */
export function findDateDifference(source: string, headers: Headers, oursMs: number): readonly Message[] {
  return findClockDifference(source, Date.parse(headers.get('date') ?? ''), oursMs)
}
