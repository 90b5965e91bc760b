import type { DailyStore } from '../../storage/lines/daily-log.ts'

/** One line of the log: a search, or a result that was followed. */
export type SearchRecord =
  | { readonly q: string; readonly hits: number; readonly by?: 'agent' }
  | {
      readonly q: string
      readonly rank: number
      readonly page: string
      /** Earlier query of the reader without a hit. */
      readonly after?: string
    }

/** Storage of searches by day. */
export type SearchLogStore = DailyStore<SearchRecord>
