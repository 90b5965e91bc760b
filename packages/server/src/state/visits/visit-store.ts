import type { Account } from '../sessions/rows/session.ts'
import type { Sql } from '../sql/sql.ts'

/** The last two visits of an account to the portal, as far as it takes to tell what has changed since. */
export interface Visit {
  /** Edition that was served. */
  readonly edition: string
  /** Release that the account was served last in the visit before this one. */
  readonly base: string
  /** Release that the account was served last. */
  readonly current: string
  readonly atMs: number
  /** The account has stopped the record; the rest is empty then. */
  readonly isOff: boolean
}

/** One visit for each account. Every method fails when the store cannot be asked. */
export interface VisitStore {
  find(account: Account): Promise<Visit | null>
  /** Replaces the visit of an account, and forgets those of accounts that have not come for {@link KEEP_MS}. */
  put(account: Account, visit: Visit): Promise<void>
}

/** Retention of the last visit. */
export const KEEP_MS = 400 * 86_400_000

/** Keeps visits on either database. */
export function createVisitStore({ query }: Sql): VisitStore {
  return {
    async find({ issuer, sub }) {
      const [row] = await query('SELECT * FROM sekisho.visits WHERE issuer = $1 AND sub = $2', [issuer, sub])
      if (row === undefined) return null
      const { edition, base, release } = row
      return {
        ...{ edition: String(edition), base: String(base), current: String(release) },
        ...{ atMs: Number(row.at), isOff: Number(row.is_off) === 1 },
      }
    },
    async put({ issuer, sub }, { edition, base, current, atMs, isOff }) {
      await query(
        `INSERT INTO sekisho.visits (issuer, sub, edition, base, release, at, is_off) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (issuer, sub) DO UPDATE
         SET edition = excluded.edition, base = excluded.base, release = excluded.release, at = excluded.at, is_off = excluded.is_off`,
        [issuer, sub, edition, base, current, atMs, Number(isOff)],
      )
      await query('DELETE FROM sekisho.visits WHERE at < $1 AND is_off = 0', [atMs - KEEP_MS])
    },
  }
}
