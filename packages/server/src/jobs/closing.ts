import type { AuditTrail } from '../audit/index.ts'
import { describeError, type Log } from '../kernel/monitoring/log.ts'

/** For what is left to the system, for the last lines of the log, and one to spare. */
const END_MS = 3_000
/** Time for the system to accept lines without a sync. */
const LEAVE_MS = 1_000

/** Time for everything when the operator does not wait. */
const HURRY_MS = 2_000

/** Divides the time to end into that for responses under way and that for everything. */
export function divideClosing(stopWithinMs: number) {
  return { drainMs: stopWithinMs / 2, closeMs: stopWithinMs - END_MS }
}

export interface ClosingOptions {
  readonly audit: Pick<AuditTrail, 'health' | 'leave'>
  readonly log: Log
  /** Drops the connections with responses under way. */
  readonly drop: () => void
  /** Aborted to skip waiting for them. */
  readonly hurry?: AbortSignal | undefined
  readonly closeMs: number
}

/**
 * Closes within limits, since a disk may hang: waiting lines are then handed to the system, with a log entry. Nothing else that waits was
 * acknowledged. Resolves to true if all is closed; otherwise the process must be ended. A hurry skips responses.
 */
export async function closeInTime(
  close: () => Promise<void>,
  { audit, log, drop, hurry, closeMs }: ClosingOptions,
): Promise<boolean> {
  const sinceMs = performance.now()
  const inHurry = { signal: hurry, ms: Math.min(HURRY_MS, closeMs), onHurry: drop }
  if (await within(closeMs, close(), inHurry)) return true
  const { waiting } = audit.health()
  let reason: unknown = null
  const leave = async () => {
    if (!(await audit.leave())) throw new Error('they are kept in a database, which does not answer')
  }
  const isLeft = await within(LEAVE_MS, leave()).catch((error) => {
    reason = describeError(error)
    return false
  })
  log('error', 'closing_given_up', {
    afterMs: Math.round(performance.now() - sinceMs),
    auditLines: waiting,
    kept: isLeft ? 'handed to the system: only a power cut takes them' : 'lost',
    ...(reason !== null && { reason }),
    advice: 'the disk or the database did not answer; the next start goes on behind the last line it finds',
  })
  return false
}

interface Hurry {
  readonly signal: AbortSignal | undefined
  readonly ms: number
  readonly onHurry: () => void
}

/** Tells if it is done by then, or shortly behind the signal. */
async function within(ms: number, work: Promise<void>, hurry?: Hurry): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  let timer = setTimeout(late.resolve, ms, false)
  const hasten = () => {
    hurry?.onHurry()
    clearTimeout(timer)
    timer = setTimeout(late.resolve, hurry?.ms, false)
  }
  hurry?.signal?.addEventListener('abort', hasten)
  try {
    return await Promise.race([work.then(() => true), late.promise])
  } finally {
    hurry?.signal?.removeEventListener('abort', hasten)
    clearTimeout(timer)
  }
}
