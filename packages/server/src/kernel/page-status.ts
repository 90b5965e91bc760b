import { reviewDue } from '@sekisho/contract/page-metadata'
import type { ReleaseFile } from '@sekisho/release'

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

/** The same results with those of obsolete pages last. */
export const obsoleteLast = <T>(results: readonly T[], isObsolete: (result: T) => boolean): readonly T[] => [
  ...results.filter((result) => !isObsolete(result)),
  ...results.filter(isObsolete),
]
