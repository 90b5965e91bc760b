import type { DailyStore } from '../../storage/lines/daily-log.ts'

/** One line of the log: a search, or a result that was followed. */
export type SearchRecord =
  | { readonly q: string; readonly hits: number; readonly by?: 'agent' }
  | {
      readonly q: string
      readonly rank: number
      readonly page: string
      /** What the reader had tried before without a hit. */
      readonly after?: string
    }

/** Where searches are kept by day. */
export type SearchLogStore = DailyStore<SearchRecord>
