import type { Reader } from '../../kernel/reader.ts'
import { createToday, type PortalClock } from '../../kernel/today.ts'
import { accountKey } from '../../state/limits/index.ts'
import { KEEP_WEEKS, type PageReader, type ReadershipStore, weekOf } from '../../state/readership/index.ts'

interface ReaderCountsOptions extends PortalClock {
  readonly readership: ReadershipStore
  /** Keyed digest of a text. */
  readonly digest: (text: string) => string
}

/** Counts of readers by page and week, written behind: no page waits for them. */
interface ReaderCounts {
  /** Notes that a person opened a page. */
  opened(reader: Reader, path: string): void
  /** Writes what was noted, and closes the weeks that are over. */
  write(): Promise<void>
}

/** Readers of pages that are noted between two writes; those beyond are not counted. */
const MAX_NOTED = 20_000

/** Creates the counts. A digest is of one account, page and week: it tells neither who read, nor what else the same person did. */
export function createReaderCounts({ readership, digest, ...clock }: ReaderCountsOptions): ReaderCounts {
  const today = createToday(clock)
  let week = weekOf(today())
  let noted = new Map<string, PageReader>()
  let written = new Set<string>()
  let closed = ''

  async function flush(): Promise<void> {
    const taken = noted
    if (taken.size === 0) return
    noted = new Map()
    await readership.note(week, [...taken.values()])
    if (written.size > MAX_NOTED) written = new Set()
    for (const own of taken.keys()) written.add(own)
  }

  return {
    opened({ via, viewingAs, account }, path) {
      if (via !== 'session' || viewingAs !== null || noted.size >= MAX_NOTED) return
      const own = digest(`${week}\n${path}\n${accountKey(account)}`)
      if (!written.has(own)) noted.set(own, [path, own])
    },
    async write() {
      await flush()
      const now = weekOf(today())
      if (now !== week) {
        week = now
        written = new Set()
      }
      if (closed === week) return
      await readership.closeWeeks(week, weekOf(week, -KEEP_WEEKS))
      closed = week
    },
  }
}
