import { isDay, type PageMetadata } from '@sekisho/contract/page-metadata'
import type { Edition, ReleaseFile } from '@sekisho/release'
import type { AcknowledgementStore } from './acknowledgement-store.ts'
import { textHashOf } from './asked-pages.ts'

/** A page whose owner is asked to confirm its text from time to time, in the version that an edition holds. */
interface ReviewedPage {
  readonly owner: string
  /** SHA-256 of the page, and of its text. */
  readonly page: string
  readonly text: string
}

/** Describes a page with an owner and a review; null for any other path. */
export function findReviewedPage(edition: Edition, path: string): ReviewedPage | null {
  const file = edition.files.get(path)
  const { owner, review, status } = file?.page ?? {}
  if (file === undefined || owner === undefined || review === undefined || status === 'obsolete') return null
  return { owner, page: file.sha256, text: textHashOf(edition, file) }
}

/** Confirmations are kept as acknowledgements of a version that no page asks for: the day, the edition and the text. */
const VERSION = /^review (\d{4}-\d{2}-\d{2}) (\S+) ([0-9a-f]{64})$/

/** Version by which a confirmation is kept: once a day, for one text. */
export const reviewVersion = (day: string, { name }: Pick<Edition, 'name'>, text: string): string =>
  `review ${day} ${name} ${text}`

/** Last days on which owners confirmed pages, `YYYY-MM-DD`, by path. */
export type ReviewDays = ReadonlyMap<string, string>

/** Finds the last confirmation of each page. One of another edition counts only for the same text. */
export async function readReviewDays(
  store: Pick<AcknowledgementStore, 'reviews'>,
  edition: Edition,
  paths: readonly string[],
): Promise<ReviewDays> {
  const asked = paths.filter((path) => findReviewedPage(edition, path) !== null)
  const days = new Map<string, string>()
  for (const { path, version } of asked.length === 0 ? [] : await store.reviews(asked)) {
    const [, day = '', name, text] = VERSION.exec(version) ?? []
    const isOwn = name === edition.name || text === findReviewedPage(edition, path)?.text
    if (isOwn && isDay(day) && day > (days.get(path) ?? '')) days.set(path, day)
  }
  return days
}

/** A file whose metadata has the later one of its own last review and a confirmation. */
export function withReview(file: ReleaseFile, day: string | undefined): ReleaseFile {
  const page: PageMetadata = file.page ?? {}
  return day === undefined || (page.reviewed ?? '') >= day
    ? file
    : { ...file, page: { ...page, reviewed: day } }
}

/** Day of a confirmation; null for any other version. */
export const reviewDayOf = (version: string): string | null => VERSION.exec(version)?.[1] ?? null
