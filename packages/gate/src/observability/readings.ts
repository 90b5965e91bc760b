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

/** Further readings of a page that a reader was given just before. */
export interface Repetition extends Reading {
  readonly times: number
}

/** Tells readings that repeat a recent one, and counts them. */
export interface Readings {
  /** Whether the same session was given the same page of the same release since the last `take`: then it is counted. */
  isRepeated(reading: Reading): boolean
  /** What was counted; from now on no reading is recent. */
  take(): readonly Repetition[]
  /** How many different readings are counted. */
  readonly size: number
}

/** What is known of a page that a reader was given lately. */
interface Given {
  readonly release: string | null
  repetition: { -readonly [Key in keyof Repetition]: Repetition[Key] } | null
}

/**
 * People never read a page twice within a batch of the audit trail; a script in a loop does so thousands of times a
 * second, and would fill a disk with lines that say the same.
 */
export function createReadings(): Readings {
  const recent = new Map<Reader, Map<string, Given>>() // by path
  let counted: Repetition[] = []

  function countAgain(given: Given, reading: Reading): void {
    if (given.repetition !== null) {
      given.repetition.times += 1
      return
    }
    given.repetition = { ...reading, times: 1 }
    counted.push(given.repetition)
  }

  return {
    isRepeated(reading) {
      const { reader, path, release } = reading
      const pages = recent.get(reader) ?? new Map<string, Given>()
      if (pages.size === 0) recent.set(reader, pages)
      const given = pages.get(path)
      if (given?.release === release) {
        countAgain(given, reading)
        return true
      }
      pages.set(path, { release, repetition: null })
      return false
    },
    take() {
      const taken = counted
      counted = []
      recent.clear()
      return taken
    },
    get size() {
      return counted.length
    },
  }
}
