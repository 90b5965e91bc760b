import type { AuditTrail } from '@sekisho/state/audit'
import { describeError, type Log } from './observability/log.ts'

/** How long responses under way may take once the gate closes. */
export const DRAIN_MS = 10_000
/** All of the end but its last two seconds: whoever supervises a gate gives it twenty (deploy/). */
const CLOSE_MS = 17_000
/** How long the system may take for lines that no disk is waited for. */
const LEAVE_MS = 1_000

export interface ClosingOptions {
  readonly audit: Pick<AuditTrail, 'health' | 'leave'>
  readonly log: Log
  readonly closeMs?: number
}

/**
 * Closes, and gives up where that takes too long, because a disk hangs: the lines that wait for it are handed to the system and the log says
 * so. Nobody was answered for anything else that waits. Resolves to whether everything is closed; else threads hang in the disk, and
 * the process has to be ended without them.
 */
export async function closeInTime(
  close: () => Promise<void>,
  { audit, log, closeMs = CLOSE_MS }: ClosingOptions,
): Promise<boolean> {
  if (await within(closeMs, close())) return true
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
    afterMs: closeMs,
    auditLines: waiting,
    kept: isLeft ? 'handed to the system: only a power cut takes them' : 'lost',
    ...(reason !== null && { reason }),
    advice: 'the disk or the database did not answer; the next start goes on behind the last line it finds',
  })
  return false
}

/** Whether it is done by then. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
