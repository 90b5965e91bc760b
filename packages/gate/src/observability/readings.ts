/** Whoever reads: one object for as long as a session lives. */
export interface Reader {
  readonly email: string
  readonly sub: string
  /** Of the session. */
  readonly id: string
}

/** A page that a reader was given. */
export interface Reading {
  readonly reader: Reader
  readonly path: string
  readonly release: string | null
  /** Name of the request. */
  readonly request: string
}

/** The same reading, once or more: when it came first, and under which request. */
export interface CountedReading extends Reading {
  readonly atMs: number
  readonly times: number
}

/** Readings that wait to become lines of the audit trail. */
export interface Readings {
  /** Counts a reading that already waits, by the same session, of the same page and release. */
  add(reading: Reading): void
  /** All that wait, in the order they came first; from now on none do. */
  take(): readonly CountedReading[]
  /** How many different ones wait. */
  readonly size: number
}

type Counted = { -readonly [Key in keyof CountedReading]: CountedReading[Key] }

/**
 * Gathers readings for one batch of the audit trail. People never read a page twice within a batch; a script in a loop
 * does so thousands of times a second, and would fill a disk with lines that say the same.
 */
export function createReadings(now: () => number): Readings {
  const byReader = new Map<Reader, Map<string, Counted>>()
  let inOrder: Counted[] = []

  return {
    add(reading) {
      const { reader, path, release, request } = reading
      const pages = byReader.get(reader) ?? new Map<string, Counted>()
      if (pages.size === 0) byReader.set(reader, pages)
      const known = pages.get(path)
      if (known !== undefined && known.release === release) {
        known.times += 1
        return
      }
      const counted = { reader, path, release, request, atMs: now(), times: 1 }
      pages.set(path, counted)
      inOrder.push(counted)
    },
    take() {
      const taken = inOrder
      inOrder = []
      byReader.clear()
      return taken
    },
    get size() {
      return inOrder.length
    },
  }
}
