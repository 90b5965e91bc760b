/** Storage of records by day (`YYYY-MM-DD`, UTC). Every method fails when it cannot. */
export interface DailyStore<T> {
  append(day: string, record: T): Promise<void>
  /** Forgets the days before this one; null forgets everything. */
  removeBefore(day: string | null): Promise<void>
  /** Records of that day and later, oldest day first. */
  read(fromDay: string): AsyncIterable<T>
}

export interface DailyLogOptions<T> {
  readonly store: DailyStore<T>
  /** Days that are kept, the current one included; zero keeps nothing and removes what there was. */
  readonly days: number
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
}

/** Records with no time in them but the day, for as many days as the operator wants. */
export interface DailyLog<T> {
  /** True where records are kept at all. */
  readonly keeps: boolean
  /** A failure to write is reported and stops no reader. */
  write(record: T): void
  /** Waits until everything is written. */
  flush(): Promise<void>
}

const DAY_MS = 86_400_000
/** Old days go even while nothing is written. */
const PRUNE_MS = 3_600_000

/** Opens a log on a store. */
export function openDailyLog<T>({ store, days, now, onFailure }: DailyLogOptions<T>): DailyLog<T> {
  let lastDay = ''
  let writing: Promise<void> = Promise.resolve()
  const inTurn = (run: () => Promise<void>): void => {
    writing = writing.then(run).catch(onFailure)
  }
  const flush = () => writing
  if (days === 0) {
    inTurn(() => store.removeBefore(null))
    return { keeps: false, write() {}, flush }
  }
  const prune = () => store.removeBefore(firstDayOf(days, now()))
  inTurn(prune)
  setInterval(() => inTurn(prune), PRUNE_MS).unref()
  return {
    keeps: true,
    write(record) {
      const day = dayOf(now())
      inTurn(async () => {
        if (day !== lastDay) await prune()
        lastDay = day
        await store.append(day, record)
      })
    },
    flush,
  }
}

/** The first of so many days, the current one included. */
export function firstDayOf(days: number, nowMs: number): string {
  return dayOf(nowMs - (days - 1) * DAY_MS)
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
