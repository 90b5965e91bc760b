import type { Account } from '../sessions/rows/session.ts'

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

/** Columns of either database, in the order of {@link valuesOf}. */
export const COLUMNS = 'issuer, sub, edition, base, release, at, is_off'

export function valuesOf({ issuer, sub }: Account, visit: Visit): readonly (string | number)[] {
  const { edition, base, current, atMs, isOff } = visit
  return [issuer, sub, edition, base, current, atMs, isOff ? 1 : 0]
}

/** Reads a row of either database. */
export function readRow(row: Readonly<Record<string, unknown>>): Visit {
  const text = (name: string): string => String(row[name])
  const visit = { edition: text('edition'), base: text('base'), current: text('release') }
  return { ...visit, atMs: Number(row.at), isOff: Number(row.is_off) === 1 }
}
