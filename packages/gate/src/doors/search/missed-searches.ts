/** Which search without a hit a reader tried before the one that led somewhere: what a team may call the same thing. */
export interface MissedSearches {
  searched(session: string, q: string, hits: number): void
  /** The last query that found nothing before the one whose result is opened now; once. */
  take(session: string): string | undefined
}

interface Reader {
  readonly q: string
  readonly hits: number
  readonly atMs: number
  readonly missed: { readonly q: string; readonly atMs: number } | null
}

/** What somebody looks for minutes later is another thing. */
const MAX_AGE_MS = 5 * 60_000
/** Beyond this the readers who searched longest ago are forgotten. */
const MAX_READERS = 10_000

/** Remembers the last searches of each session, in memory only; `settledMs` tells a query that was meant from one being typed. */
export function createMissedSearches(now: () => number, settledMs: number): MissedSearches {
  const readers = new Map<string, Reader>()
  const missedOf = (reader: Reader | undefined, atMs: number): Reader['missed'] => {
    if (reader === undefined) return null
    if (reader.hits === 0 && atMs - reader.atMs >= settledMs) return { q: reader.q, atMs: reader.atMs }
    return reader.missed
  }
  return {
    searched(session, q, hits) {
      const missed = missedOf(readers.get(session), now())
      readers.delete(session) // insertion order is order of use
      readers.set(session, { q, hits, atMs: now(), missed })
      for (const oldest of readers.keys()) {
        if (readers.size <= MAX_READERS) break
        readers.delete(oldest)
      }
    },
    take(session) {
      const missed = readers.get(session)?.missed ?? null
      readers.delete(session)
      return missed !== null && now() - missed.atMs <= MAX_AGE_MS ? missed.q : undefined
    },
  }
}
