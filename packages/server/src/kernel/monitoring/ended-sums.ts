import type { AuditFields, AuditTrail, SimpleEvent } from '../../audit/index.ts'
import type { Session } from '../../state/sessions/index.ts'

/** Gives sessions that ended their lines in the trail. */
export interface EndedSums {
  /** `cause` says why, alike for all that share a line. */
  note(event: SimpleEvent, session: Pick<Session, 'id' | 'email'>, cause: AuditFields): void
  /** Writes the lines of what was counted so far. */
  flush(): void
}

/** So many of one cause have a line of their own in a minute; the others share one that says how many they are. */
const MAX_OWN_LINES = 1_000
const MINUTE_MS = 60_000

interface Counted {
  readonly event: SimpleEvent
  readonly cause: AuditFields
  ownLines: number
  sessions: number
}

/** Sums up mass ends of sessions, which would fill the trail and its memory: 200,000 lines would close the gate. */
export function sumEnded(audit: Pick<AuditTrail, 'record'>): EndedSums {
  let byCause = new Map<string, Counted>()
  let minute: NodeJS.Timeout | null = null

  function flush(): void {
    if (minute !== null) clearTimeout(minute)
    minute = null
    const sums = byCause
    byCause = new Map()
    for (const [name, { event, cause, sessions }] of sums) {
      if (sessions > 0 && !record(event, { ...cause, sessions })) {
        byCause.set(name, { event, cause, ownLines: 0, sessions }) // for the next minute
        minute ??= setTimeout(flush, MINUTE_MS).unref()
      }
    }
  }
  /** Tells if the trail took the line; a closed one takes the sum later. */
  function record(event: SimpleEvent, fields: AuditFields): boolean {
    try {
      audit.record(event, fields)
      return true
    } catch {
      return false
    }
  }

  return {
    note(event, { id, email }, cause) {
      minute ??= setTimeout(flush, MINUTE_MS).unref()
      const name = JSON.stringify([event, cause])
      const counted = byCause.get(name) ?? { event, cause, ownLines: 0, sessions: 0 }
      byCause.set(name, counted)
      const isOwn = counted.ownLines < MAX_OWN_LINES && record(event, { email, session: id, ...cause })
      if (isOwn) counted.ownLines += 1
      else counted.sessions += 1
    },
    flush,
  }
}
