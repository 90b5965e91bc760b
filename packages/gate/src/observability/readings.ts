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

/** Tells readings that repeat the last one of their session, and counts them. */
export interface Readings {
  /** Whether the session was given that page of that release last, and since the last `take`: then it is counted. */
  isRepeated(reading: Reading): boolean
  /** What was counted; from now on no reading repeats another. */
  take(): readonly Repetition[]
  /** How many different readings are counted. */
  readonly size: number
}

/** What a reader was given last. */
interface Given {
  readonly path: string
  readonly release: string | null
  repetition: { -readonly [Key in keyof Repetition]: Repetition[Key] } | null
}

/**
 * People never read a page twice within a batch of the audit trail; a script in a loop does so thousands of times a
 * second, and would fill a disk with lines that say the same. Only the last page of each reader is known: a table of
 * all that were read in a batch lived long enough to be collected as old (decisions/024).
 */
export function createReadings(): Readings {
  const last = new Map<Reader, Given>()
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
      const given = last.get(reader)
      if (given !== undefined && given.path === path && given.release === release) {
        countAgain(given, reading)
        return true
      }
      last.set(reader, { path, release, repetition: null })
      return false
    },
    take() {
      const taken = counted
      counted = []
      last.clear()
      return taken
    },
    get size() {
      return counted.length
    },
  }
}
