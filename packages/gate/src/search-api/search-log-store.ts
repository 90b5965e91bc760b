/** One line of the log: a search, or a result that was followed. */
export type SearchRecord =
  | { readonly q: string; readonly hits: number }
  | {
      readonly q: string
      readonly rank: number
      readonly page: string
      /** What the reader had tried before without a hit. */
      readonly after?: string
    }

/** Where searches are kept by day (`YYYY-MM-DD`, UTC). Every method fails when it cannot. */
export interface SearchLogStore {
  append(day: string, record: SearchRecord): Promise<void>
  /** Forgets the days before this one; null forgets everything. */
  removeBefore(day: string | null): Promise<void>
  /** Records of that day and later, oldest day first. */
  read(fromDay: string): AsyncIterable<SearchRecord>
}
