import type { NamedIndex, ServedEdition } from '../kernel/reader.ts'
import { MIN_READERS } from '../state/readership/index.ts'
import { readSearchReport, type SearchLogStore } from '../state/search-log/index.ts'
import type { Account } from '../state/sessions/index.ts'

interface SearchGapsOptions {
  readonly releases: { editions(): Promise<readonly ServedEdition[]> }
  readonly searchLog: Pick<SearchLogStore, 'read'>
  readonly searches: {
    run(
      account: Account,
      job: NamedIndex & { readonly query: { readonly q: string } },
    ): Promise<{ readonly pages: readonly string[] }>
  }
  readonly now: () => number
}

/** A search, question or address that found nothing, with the page of an edition that is nearest. */
interface SearchGap {
  readonly q: string
  readonly times: number
  readonly page: string
}

/** Finds gaps of the last so many days, the most frequent first. */
export type FindGaps = (served: ServedEdition, days: number) => Promise<readonly SearchGap[]>

/** Gaps whose nearest page is looked for. */
const MAX_GAPS = 50
/** Gaps of an edition are looked for once in this time. */
const MAX_AGE_MS = 10 * 60_000
/** Takes turns with readers as an account of its own. */
const GATE: Account = { issuer: '', sub: 'gaps' }

/** Creates the finder. An edition has gaps of readers who read no more than it: a query tells what its reader knows. */
export function createFindGaps({ releases, searchLog, searches, now }: SearchGapsOptions): FindGaps {
  const known = new WeakMap<object, { days: number; atMs: number; gaps: Promise<readonly SearchGap[]> }>()

  async function find(served: ServedEdition, days: number): Promise<readonly SearchGap[]> {
    const editions = await releases.editions()
    const isIncluded = ({ edition: name }: { readonly edition?: string }) => {
      const of = editions.find((edition) => edition.name === name)
      if (of === undefined) return editions.length === 1 // as records of earlier versions
      return of.audiences.every((audience) => served.audiences.includes(audience))
    }
    const { queries, agents } = await readSearchReport(searchLog, days, now(), isIncluded)
    const failed = [...queries, ...agents].filter(({ persons }) => persons >= MIN_READERS)
    const index = served.search('/')
    if (index === null) return []
    const gaps: SearchGap[] = []
    for (const { q, withoutHit: times } of failed.slice(0, MAX_GAPS)) {
      const words = q.replaceAll(/[/_-]+/g, ' ') // an address is looked for by its words
      const found = await searches.run(GATE, { ...index, query: { q: words } }).catch(() => null)
      const [page] = found?.pages ?? []
      if (page !== undefined) gaps.push({ q, times, page })
    }
    return gaps.toSorted((a, b) => b.times - a.times)
  }

  return (served, days) => {
    const kept = known.get(served.edition)
    if (kept !== undefined && kept.days === days && now() - kept.atMs < MAX_AGE_MS) return kept.gaps
    const gaps = find(served, days)
    known.set(served.edition, { days, atMs: now(), gaps })
    gaps.catch(() => known.delete(served.edition))
    return gaps
  }
}
