import type { Database } from '../../storage/database/database.ts'
import type { RateLimit, RateLimitOptions } from './rate-limit.ts'

/**
 * Buckets that all gates share, filled by the database's clock; one statement for each `take`. It is for what only a few
 * proven accounts can ask: strangers are counted in memory, where each costs nothing.
 */
export function createPostgresRateLimit(
  { query }: Pick<Database, 'query'>,
  name: string,
  { burst, perSecond }: RateLimitOptions,
): RateLimit {
  return {
    async take(key) {
      const [row] = await query(
        `INSERT INTO sekisho.rate_limits AS bucket VALUES ($1, $2::float8 - 1, clock_timestamp(), true)
         ON CONFLICT (bucket) DO UPDATE SET (tokens, filled_at, is_granted) = (
           SELECT CASE WHEN held >= 1 THEN held - 1 ELSE held END, clock_timestamp(), held >= 1
           FROM least($2::float8, bucket.tokens + $3::float8 *
             greatest(0, extract(epoch FROM clock_timestamp() - bucket.filled_at))) AS held
         )
         RETURNING tokens, is_granted`,
        [`${name} ${key}`, burst, perSecond],
      )
      return row?.is_granted === true ? 0 : Math.ceil((1 - Number(row?.tokens)) / perSecond)
    },
  }
}

/** Removes buckets unused for a day: longer than any takes to fill. */
export async function forgetFullBuckets({ query }: Pick<Database, 'query'>): Promise<void> {
  await query("DELETE FROM sekisho.rate_limits WHERE filled_at < now() - interval '1 day'")
}
