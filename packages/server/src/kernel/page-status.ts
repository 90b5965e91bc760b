import { reviewDue } from '@sekisho/contract/page-metadata'
import type { Edition, ReleaseFile } from '@sekisho/release'
import { type AcknowledgementStore, readReviewDays, withReview } from '../state/acknowledgements/index.ts'
import type { Html } from './pages/html.ts'

/** Facts by which a found page may be relied on less, or its owner asked; absent fields do not apply. */
export interface PageStatus {
  readonly owner?: string
  /** Day of the last review. */
  readonly reviewed?: string
  readonly review_overdue?: true
  readonly obsolete?: true
  /** Path of the page that replaces an obsolete one. */
  readonly replaced_by?: string
}

/** Status of a page on a day, `YYYY-MM-DD`; null where its metadata says nothing of it. */
export function pageStatusOf(file: ReleaseFile | undefined, today: string): PageStatus | null {
  const page = file?.page
  if (page === undefined) return null
  const { owner, reviewed, status, replacedBy } = page
  const due = reviewDue(page)
  const found: PageStatus = {
    ...(owner !== undefined && { owner }),
    ...(reviewed !== undefined && { reviewed }),
    ...(due !== null && due < today && { review_overdue: true }),
    ...(status === 'obsolete' && { obsolete: true }),
    ...(replacedBy !== undefined && { replaced_by: replacedBy }),
  }
  return Object.keys(found).length === 0 ? null : found
}

/** Confirmation of a page by its owner. */
export interface PageReview {
  /** Day of the last one, `YYYY-MM-DD`; null for none besides the page's own metadata. */
  readonly day: string | null
  /** Button by which an owner confirms the page; null for other readers, and once it is confirmed. */
  readonly form: Html | null
}

/** Reads the status of pages of an edition, with the confirmations of their owners where the store can be asked. */
export type ReadStatuses = (
  edition: Edition,
  paths: readonly string[],
  today: string,
) => Promise<ReadonlyMap<string, PageStatus | null>>

export const createStatuses =
  (store: Pick<AcknowledgementStore, 'reviews'>): ReadStatuses =>
  async (edition, paths, today) => {
    const days = await readReviewDays(store, edition, paths).catch(() => new Map<string, string>())
    return new Map(
      paths.map((path) => {
        const file = edition.files.get(path)
        return [path, pageStatusOf(file && withReview(file, days.get(path)), today)]
      }),
    )
  }

/** Of releases whose pages no owner can confirm, as previews are. */
export const WITHOUT_REVIEWS = createStatuses({ reviews: async () => [] })

/** The same results with those of obsolete pages last. */
export const obsoleteLast = <T>(results: readonly T[], isObsolete: (result: T) => boolean): readonly T[] => [
  ...results.filter((result) => !isObsolete(result)),
  ...results.filter(isObsolete),
]
