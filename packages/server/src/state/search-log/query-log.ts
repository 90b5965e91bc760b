import { type DailyLogOptions, openDailyLog } from '../../storage/lines/daily-log.ts'
import type { SearchRecord } from './search-log-store.ts'

/** Searches of readers, for those who maintain the pages. Nothing in it identifies persons or the time of day. */
export interface QueryLog {
  /** Records a search; unfinished ones replace each other and are written once typing stops. */
  searched(session: string, entry: { readonly q: string; readonly hits: number; readonly by?: 'agent' }): void
  /** Notes which result of a search was followed, and after which query that had found nothing. */
  opened(session: string, entry: FollowedResult): void
  /** Writes what is waiting. */
  flush(): Promise<void>
}

/** A followed result; `after` is what the reader had tried before without a hit. */
interface FollowedResult {
  readonly q: string
  readonly rank: number
  readonly page: string
  readonly after?: string
}

/** Pause in typing after which a query counts. */
export const SETTLED_MS = 2_000
const MAX_QUERY_CHARS = 200

interface Pending {
  readonly q: string
  readonly hits: number
  readonly by?: 'agent'
  readonly timer: NodeJS.Timeout
}

/** Opens the log on a store; a failure to write is reported and stops no reader. */
export function openQueryLog(options: DailyLogOptions<SearchRecord>): QueryLog {
  const pending = new Map<string, Pending>()
  const log = openDailyLog(options)
  if (!log.keeps) return { searched() {}, opened() {}, flush: () => log.flush() }

  const write = (record: SearchRecord): void =>
    log.write({ ...record, q: record.q.trim().slice(0, MAX_QUERY_CHARS) })
  function settle(session: string): void {
    const one = pending.get(session)
    if (one === undefined) return
    clearTimeout(one.timer)
    pending.delete(session)
    const { q, hits, by } = one
    write({ q, hits, ...(by !== undefined && { by }) })
  }

  return {
    searched(session, entry) {
      clearTimeout(pending.get(session)?.timer)
      pending.delete(session)
      if (entry.q.trim() === '') return
      const timer = setTimeout(() => settle(session), SETTLED_MS)
      timer.unref()
      pending.set(session, { ...entry, timer })
    },
    opened(session, { q, rank, page, after }) {
      settle(session)
      const tried = after === undefined ? {} : { after: after.trim().slice(0, MAX_QUERY_CHARS) }
      write({ q, rank, page, ...tried })
    },
    async flush() {
      for (const session of [...pending.keys()]) settle(session)
      await log.flush()
    },
  }
}
