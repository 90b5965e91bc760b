import type { DailyStore } from '../../storage/lines/daily-log.ts'

/** One line of the log: a search, or a result that was followed. */
export type SearchRecord =
  | {
      readonly q: string
      readonly hits: number
      readonly by?: 'agent'
      readonly edition?: string
      /** Week and keyed digest of the account with this query; only without a hit, so that persons can be counted. */
      readonly reader?: string
    }
  | {
      readonly q: string
      /** Edition that the reader was served; absent from records of earlier versions. */
      readonly edition?: string
      readonly rank: number
      readonly page: string
      /** Earlier query of the reader without a hit. */
      readonly after?: string
    }

/** Storage of searches by day. */
export type SearchLogStore = DailyStore<SearchRecord>

/** One key for variants of a query in width, case and spaces. */
export const queryKey = (q: string): string => q.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
