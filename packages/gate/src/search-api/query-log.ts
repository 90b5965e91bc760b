import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainJson } from '../observability/plain-json.ts'

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
  readonly folder: string
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
const FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/

interface Pending {
  readonly q: string
  readonly hits: number
  readonly timer: NodeJS.Timeout
}

/** Opens the log: one file a day, `{ q, hits }` or `{ q, rank, page, after? }` a line. */
export function openQueryLog({ folder, days, now, onFailure }: QueryLogOptions): QueryLog {
  const pending = new Map<string, Pending>()
  let lastDay = ''
  let writing: Promise<void> = Promise.resolve()

  function write(record: { readonly q: string; readonly [field: string]: unknown }): void {
    const day = dayOf(now())
    const q = record.q.trim().slice(0, MAX_QUERY_CHARS)
    writing = writing
      .then(async () => {
        if (day !== lastDay) {
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          prune(folder, days, now())
        }
        lastDay = day
        await appendFile(join(folder, `${day}.jsonl`), `${plainJson({ ...record, q })}\n`, { mode: 0o600 })
      })
      .catch(onFailure)
  }
  function settle(session: string): void {
    const one = pending.get(session)
    if (one === undefined) return
    clearTimeout(one.timer)
    pending.delete(session)
    write({ q: one.q, hits: one.hits })
  }

  if (days === 0) {
    rmSync(folder, { recursive: true, force: true })
    return { searched() {}, opened() {}, flush: async () => {} }
  }
  const pruneQuietly = (): void => {
    try {
      prune(folder, days, now())
    } catch (error) {
      onFailure(error) // a log that cannot be tidied stops no reader
    }
  }
  pruneQuietly()
  setInterval(pruneQuietly, PRUNE_MS).unref()
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

/** The files of the last so many days, oldest first. */
export function listQueryLogs(folder: string, days: number, nowMs: number): string[] {
  const oldest = dayOf(nowMs - (days - 1) * DAY_MS)
  return readdirSync(folder)
    .filter((name) => (FILE.exec(name)?.[1] ?? '') >= oldest)
    .sort()
    .map((name) => join(folder, name))
}

function prune(folder: string, days: number, nowMs: number): void {
  if (!existsSync(folder)) return
  const kept = new Set(listQueryLogs(folder, days, nowMs))
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (FILE.test(name) && !kept.has(file)) rmSync(file, { force: true })
  }
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
