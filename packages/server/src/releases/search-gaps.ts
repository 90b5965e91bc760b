import type { NamedIndex, ServedEdition } from '../kernel/reader.ts'
import { MIN_READERS } from '../state/readership/index.ts'
import { readSearchReport, type SearchLogStore, type SearchReport } from '../state/search-log/index.ts'
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

/** A search, question or address that found nothing, with the path of the nearest page; null for none. */
export interface SearchGap {
  readonly q: string
  readonly times: number
  readonly page: string | null
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
    const index = served.search('/')
    if (index === null) return []
    const report = await readSearchReport(searchLog, days, now(), isIncluded)
    return gapsOf(report, async (q) => {
      const found = await searches.run(GATE, { ...index, query: { q } }).catch(() => null)
      return found?.pages ?? []
    })
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

/** Gaps of a report that concern at least {@link MIN_READERS} persons, each with the first page that a search for its words finds. */
export async function gapsOf(
  { queries, agents }: Pick<SearchReport, 'queries' | 'agents'>,
  search: (q: string) => Promise<readonly string[]>,
): Promise<readonly SearchGap[]> {
  const failed = [...queries, ...agents]
    .filter(({ persons }) => persons >= MIN_READERS)
    .toSorted((one, other) => other.withoutHit - one.withoutHit)
  const gaps: SearchGap[] = []
  for (const { q, withoutHit: times } of failed.slice(0, MAX_GAPS)) {
    // As a whole it found nothing: an address is looked for by its names, a question by its words.
    const words = q.replaceAll(/[/_-]+/g, ' ')
    const found = await search(words)
    const [page = null] = found.length > 0 ? found : await search(contentWords(words))
    gaps.push({ q, times, page })
  }
  return gaps
}

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' })

/** Words of a text without those of hiragana alone, with spaces between them. */
const contentWords = (text: string): string =>
  [...SEGMENTER.segment(text)]
    .filter(({ segment, isWordLike }) => isWordLike === true && !/^\p{Script=Hiragana}+$/u.test(segment))
    .map(({ segment }) => segment)
    .join(' ')
