import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainJson } from './plain-json.ts'

/** Records in one file a day, with no time in them, for as many days as the operator wants. */
export interface DailyLog {
  write(record: Readonly<Record<string, unknown>>): void
  /** Waits until everything is written. */
  flush(): Promise<void>
}

export interface DailyLogOptions {
  readonly folder: string
  /** Days that are kept, the current one included; zero keeps nothing and removes what there was. */
  readonly days: number
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
}

const DAY_MS = 86_400_000
/** Old days go even while nothing is written. */
const PRUNE_MS = 3_600_000
const FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/

/** Opens a log; null when nothing is to be kept. */
export function openDailyLog({ folder, days, now, onFailure }: DailyLogOptions): DailyLog | null {
  if (days === 0) {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  let lastDay = ''
  let writing: Promise<void> = Promise.resolve()
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
    write(record) {
      const day = dayOf(now())
      writing = writing
        .then(async () => {
          if (day !== lastDay) {
            mkdirSync(folder, { recursive: true, mode: 0o700 })
            prune(folder, days, now())
          }
          lastDay = day
          await appendFile(join(folder, `${day}.jsonl`), `${plainJson(record)}\n`, { mode: 0o600 })
        })
        .catch(onFailure)
    },
    flush: () => writing,
  }
}

/** The files of the last so many days, oldest first. */
export function listDailyFiles(folder: string, days: number, nowMs: number): string[] {
  const oldest = dayOf(nowMs - (days - 1) * DAY_MS)
  return readdirSync(folder)
    .filter((name) => (FILE.exec(name)?.[1] ?? '') >= oldest)
    .sort()
    .map((name) => join(folder, name))
}

function prune(folder: string, days: number, nowMs: number): void {
  if (!existsSync(folder)) return
  const kept = new Set(listDailyFiles(folder, days, nowMs))
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (FILE.test(name) && !kept.has(file)) rmSync(file, { force: true })
  }
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
