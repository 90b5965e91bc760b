import type { Database } from '../../storage/database/database.ts'

/** Sum of one kind of use in a UTC day, shared by all gates. */
export interface DailySum {
  /** Adds to the sum of a day, counted from the epoch; resolves to the sum. */
  add(day: number, amount: number): Promise<number>
}

/** A row among the buckets of rate limits, which are removed a day after their last use. */
export function createPostgresDailySum({ query }: Pick<Database, 'query'>, name: string): DailySum {
  return {
    async add(day, amount) {
      const [row] = await query(
        `INSERT INTO sekisho.rate_limits AS bucket VALUES ($1, $2, clock_timestamp(), true)
         ON CONFLICT (bucket) DO UPDATE SET tokens = bucket.tokens + $2, filled_at = clock_timestamp()
         RETURNING tokens`,
        [`${name} ${day}`, amount],
      )
      return Number(row?.tokens)
    },
  }
}
