import type { SearchLogStore, SearchRecord } from './search-log-store.ts'

/** What readers looked for, for those who maintain the pages. Nothing in it says who, or at what time of the day. */
export interface QueryLog {
  /** Notes a search; what somebody is still typing replaces itself and is written once they stop. */
  searched(session: string, entry: { readonly q: string; readonly hits: number }): void
  /** Notes which result of a search was followed, and after which query that had found nothing. */
  opened(session: string, entry: FollowedResult): void
  /** Writes what is waiting. */
  flush(): Promise<void>
}

/** A followed result; `after` is what the reader had tried before without a hit. */
export interface FollowedResult {
  readonly q: string
  readonly rank: number
  readonly page: string
  readonly after?: string
}

export interface QueryLogOptions {
  readonly store: SearchLogStore
  /** Days that are kept, the current one included; zero keeps nothing and removes what there was. */
  readonly days: number
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
}

/** A query nobody typed on for so long is one they meant. */
export const SETTLED_MS = 2_000
const MAX_QUERY_CHARS = 200
const DAY_MS = 86_400_000
/** Old days go even while nobody searches. */
const PRUNE_MS = 3_600_000

interface Pending {
  readonly q: string
  readonly hits: number
  readonly timer: NodeJS.Timeout
}

/** Opens the log on a store; a failure to write is told and stops no reader. */
export function openQueryLog({ store, days, now, onFailure }: QueryLogOptions): QueryLog {
  const pending = new Map<string, Pending>()
  let lastDay = ''
  let writing: Promise<void> = Promise.resolve()
  const inTurn = (run: () => Promise<void>): void => {
    writing = writing.then(run).catch(onFailure)
  }
  const prune = () => store.removeBefore(firstDayOf(days, now()))

  function write(record: SearchRecord): void {
    const day = dayOf(now())
    const q = record.q.trim().slice(0, MAX_QUERY_CHARS)
    inTurn(async () => {
      if (day !== lastDay) await prune()
      lastDay = day
      await store.append(day, { ...record, q })
    })
  }
  function settle(session: string): void {
    const one = pending.get(session)
    if (one === undefined) return
    clearTimeout(one.timer)
    pending.delete(session)
    write({ q: one.q, hits: one.hits })
  }

  if (days === 0) {
    inTurn(() => store.removeBefore(null))
    return { searched() {}, opened() {}, flush: () => writing }
  }
  inTurn(prune)
  setInterval(() => inTurn(prune), PRUNE_MS).unref()
  return {
    searched(session, { q, hits }) {
      clearTimeout(pending.get(session)?.timer)
      pending.delete(session)
      if (q.trim() === '') return
      const timer = setTimeout(() => settle(session), SETTLED_MS)
      timer.unref()
      pending.set(session, { q, hits, timer })
    },
    opened(session, { q, rank, page, after }) {
      settle(session)
      const tried = after === undefined ? {} : { after: after.trim().slice(0, MAX_QUERY_CHARS) }
      write({ q, rank, page, ...tried })
    },
    async flush() {
      for (const session of [...pending.keys()]) settle(session)
      await writing
    },
  }
}

/** The first of so many days, the current one included. */
export function firstDayOf(days: number, nowMs: number): string {
  return dayOf(nowMs - (days - 1) * DAY_MS)
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
