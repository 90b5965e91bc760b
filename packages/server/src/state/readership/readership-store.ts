/** Readers of a page in one week. */
export interface PageWeek {
  readonly path: string
  /** Monday of the week, `YYYY-MM-DD`. */
  readonly week: string
  /** Accounts; 0 for fewer than {@link MIN_READERS}. */
  readonly readers: number
}

/** A page with the digest of an account that opened it, of which no other page has the same. */
export type PageReader = readonly [path: string, digest: string]

/** Readers of pages by week, without names. Every method fails when the store cannot be asked. */
export interface ReadershipStore {
  /** Notes readers of a week, each of a page once. */
  note(week: string, readers: readonly PageReader[]): Promise<void>
  /** Counts weeks before this one, drops their digests, and forgets weeks before the other. */
  closeWeeks(before: string, forgetBefore: string): Promise<void>
  /** Closed weeks of at most {@link MAX_PATHS} pages, from a week on. */
  ofPages(paths: readonly string[], fromWeek: string): Promise<readonly PageWeek[]>
  /** The first closed week that is kept; null without any. */
  firstWeek(): Promise<string | null>
}

/** Fewer readers than this are not told apart from none but by the fact itself. */
export const MIN_READERS = 5
export const MAX_PATHS = 500

/** Reads a row of either database. */
export function readPageWeek(row: Readonly<Record<string, unknown>>): PageWeek {
  return { path: String(row.path), week: String(row.week), readers: Number(row.readers) }
}
