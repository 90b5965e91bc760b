import type { Database } from '../../storage/database/database.ts'
import { COLUMNS, KEEP_MS, readRow, type VisitStore, valuesOf } from './visit-store.ts'

/** Visits at all gates on a database. */
export function createPostgresVisits({ query }: Pick<Database, 'query'>): VisitStore {
  return {
    async find({ issuer, sub }) {
      const [row] = await query('SELECT * FROM sekisho.visits WHERE issuer = $1 AND sub = $2', [issuer, sub])
      return row === undefined ? null : readRow(row)
    },
    async put(account, visit) {
      await query(
        `INSERT INTO sekisho.visits (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (issuer, sub) DO UPDATE
         SET edition = excluded.edition, base = excluded.base, release = excluded.release, at = excluded.at, is_off = excluded.is_off`,
        [...valuesOf(account, visit)],
      )
      await query('DELETE FROM sekisho.visits WHERE at < $1 AND is_off = 0', [visit.atMs - KEEP_MS])
    },
  }
}
