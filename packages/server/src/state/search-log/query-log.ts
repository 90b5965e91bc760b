import { type DailyLogOptions, openDailyLog } from '../../storage/lines/daily-log.ts'
import { accountKey } from '../limits/index.ts'
import { weekOf } from '../readership/index.ts'
import type { Account } from '../sessions/index.ts'
import { queryKey, type SearchRecord } from './search-log-store.ts'

/** Searches of readers, for those who maintain the pages. Nothing in it names persons or tells the time of day. */
export interface QueryLog {
  /** Records a search; unfinished ones replace each other and are written once typing stops. */
  searched(session: string, account: Account, entry: Extract<SearchRecord, { readonly hits: number }>): void
  /** Notes which result of a search was followed, and after which query that had found nothing. */
  opened(session: string, entry: Extract<SearchRecord, { readonly rank: number }>): void
  /** Writes what is waiting. */
  flush(): Promise<void>
}

/** Pause in typing after which a query counts. */
export const SETTLED_MS = 2_000
const MAX_QUERY_CHARS = 200

interface Pending {
  readonly entry: SearchRecord
  readonly timer: NodeJS.Timeout
}

interface QueryLogOptions extends DailyLogOptions<SearchRecord> {
  /** Keyed digest of a text. */
  readonly digest: (text: string) => string
}

/** Opens the log on a store; a failure to write is reported and stops no reader. */
export function openQueryLog(options: QueryLogOptions): QueryLog {
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
    write(one.entry)
  }

  /** Of no other week or query: it does not tell what else the same person looked for. */
  function readerOf(q: string, account: Account): string {
    const week = weekOf(new Date(options.now()).toISOString().slice(0, 10))
    return `${week} ${options.digest(`search\n${week}\n${queryKey(q)}\n${accountKey(account)}`).slice(0, 10)}`
  }

  return {
    searched(session, account, search) {
      clearTimeout(pending.get(session)?.timer)
      pending.delete(session)
      if (search.q.trim() === '') return
      const entry = search.hits === 0 ? { ...search, reader: readerOf(search.q, account) } : search
      const timer = setTimeout(() => settle(session), SETTLED_MS)
      timer.unref()
      pending.set(session, { entry, timer })
    },
    opened(session, { after, ...entry }) {
      settle(session)
      const tried = after === undefined ? {} : { after: after.trim().slice(0, MAX_QUERY_CHARS) }
      write({ ...entry, ...tried })
    },
    async flush() {
      for (const session of [...pending.keys()]) settle(session)
      await log.flush()
    },
  }
}
