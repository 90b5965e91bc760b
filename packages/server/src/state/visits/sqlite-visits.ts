import type { DatabaseSync } from 'node:sqlite'
import type { Account } from '../sessions/rows/session.ts'
import { COLUMNS, KEEP_MS, readRow, type Visit, valuesOf } from './visit-store.ts'

export const VISITS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS visits (
    issuer TEXT NOT NULL, sub TEXT NOT NULL, edition TEXT NOT NULL, base TEXT NOT NULL, release TEXT NOT NULL,
    at INTEGER NOT NULL, is_off INTEGER NOT NULL, PRIMARY KEY (issuer, sub)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS visits_by_time ON visits (at);
`

/** Visits of one machine; each call blocks its thread. */
export function createSqliteVisits(db: DatabaseSync) {
  return {
    find({ issuer, sub }: Account): Visit | null {
      const row = db.prepare('SELECT * FROM visits WHERE issuer = ? AND sub = ?').get(issuer, sub)
      return row === undefined ? null : readRow(row)
    },
    put(account: Account, visit: Visit): void {
      db.prepare(`INSERT OR REPLACE INTO visits (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
        ...valuesOf(account, visit),
      )
      db.prepare('DELETE FROM visits WHERE at < ? AND is_off = 0').run(visit.atMs - KEEP_MS)
    },
  }
}
