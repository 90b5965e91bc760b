import type { AuditTrail } from '../audit/index.ts'
import { describeError, type Log } from '../kernel/monitoring/log.ts'

/** For what is left to the system, for the last lines of the log, and one to spare. */
const END_MS = 3_000
/** How long the system may take for lines that no disk is waited for. */
const LEAVE_MS = 1_000

/** How long all of it may take for whoever does not want to wait. */
const HURRY_MS = 2_000

/** What of the time that a gate has to end is for responses under way, and when the whole is given up. */
export function divideClosing(stopWithinMs: number) {
  return { drainMs: stopWithinMs / 2, closeMs: stopWithinMs - END_MS }
}

export interface ClosingOptions {
  readonly audit: Pick<AuditTrail, 'health' | 'leave'>
  readonly log: Log
  /** Drops the connections with responses under way. */
  readonly drop: () => void
  /** Aborted by whoever does not want to wait for them any longer. */
  readonly hurry?: AbortSignal | undefined
  readonly closeMs: number
}

/**
 * Closes, and gives up where that takes too long, because a disk hangs: the lines that wait for it are handed to the system and the log says
 * so. Nobody was answered for anything else that waits. Resolves to whether everything is closed; else threads hang in the disk, and
 * the process has to be ended without them. In a hurry no response is waited for and two seconds is too long; what has been answered
 * is written all the same.
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

/** Whether it is done by then, or so soon behind the signal. */
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
