/** Searches that a reader abandoned before a successful one: candidates for synonyms. */
interface MissedSearches {
  searched(session: string, q: string): void
  /** The last query of which nothing was opened before the one whose result is opened now; once for each pair of a session. */
  take(session: string): string | undefined
}

interface LastSearch {
  readonly q: string
  readonly atMs: number
  readonly missed: { readonly q: string; readonly atMs: number } | null
  /** Pairs that were told: who asks in vain every day is one reader. */
  readonly told: ReadonlySet<string>
}

/** Time after which a further search is unrelated. */
const MAX_AGE_MS = 2 * 60_000
/** As many pairs of a session are remembered. */
const MAX_TOLD = 50
const NONE: ReadonlySet<string> = new Set()
/** Beyond this the readers who searched longest ago are forgotten. */
const MAX_READERS = 10_000

/** Remembers the last searches of each session, in memory only; `settledMs` tells a query that was meant from one being typed. */
export function createMissedSearches(now: () => number, settledMs: number): MissedSearches {
  const lastSearches = new Map<string, LastSearch>()
  const missedOf = (last: LastSearch | undefined, atMs: number): LastSearch['missed'] => {
    if (last === undefined) return null
    if (last.q !== '' && atMs - last.atMs >= settledMs) return { q: last.q, atMs: last.atMs }
    return last.missed
  }
  return {
    searched(session, q) {
      const before = lastSearches.get(session)
      const missed = missedOf(before, now())
      lastSearches.delete(session) // insertion order is order of use
      lastSearches.set(session, { q, atMs: now(), missed, told: before?.told ?? NONE })
      for (const oldest of lastSearches.keys()) {
        if (lastSearches.size <= MAX_READERS) break
        lastSearches.delete(oldest)
      }
    },
    take(session) {
      const last = lastSearches.get(session)
      if (last === undefined) return undefined
      const { q, missed, told } = last
      const pair = missed === null || now() - missed.atMs > MAX_AGE_MS ? null : `${missed.q}\n${q}`
      const isNew = pair !== null && !told.has(pair)
      lastSearches.set(session, {
        q: '',
        atMs: now(),
        missed: null,
        told: isNew ? new Set([...told, pair].slice(-MAX_TOLD)) : told,
      })
      return isNew ? missed?.q : undefined
    },
  }
}
