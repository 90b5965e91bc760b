import type { DatabaseSync } from 'node:sqlite'
import { MIN_READERS, type PageReader, type PageWeek, readPageWeek } from './readership-store.ts'

export const READERSHIP_SCHEMA = `
  CREATE TABLE IF NOT EXISTS page_readers (
    week TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (week, path, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS page_weeks (
    path TEXT NOT NULL, week TEXT NOT NULL, readers INTEGER NOT NULL, PRIMARY KEY (path, week)
  ) STRICT, WITHOUT ROWID;
`

/** Readers of pages at the gate of one machine; each call blocks its thread. */
export function createSqliteReadership(db: DatabaseSync) {
  const together = (run: () => void) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      run()
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  return {
    note(week: string, readers: readonly PageReader[]): void {
      const insert = db.prepare('INSERT OR IGNORE INTO page_readers (week, path, digest) VALUES (?, ?, ?)')
      together(() => {
        for (const [path, digest] of readers) insert.run(week, path, digest)
      })
    },
    closeWeeks(before: string, forgetBefore: string): void {
      together(() => {
        db.prepare(
          `INSERT OR IGNORE INTO page_weeks (path, week, readers) SELECT path, week,
           CASE WHEN count(*) < ${MIN_READERS} THEN 0 ELSE count(*) END FROM page_readers WHERE week < ? GROUP BY week, path`,
        ).run(before)
        db.prepare('DELETE FROM page_readers WHERE week < ?').run(before)
        db.prepare('DELETE FROM page_weeks WHERE week < ?').run(forgetBefore)
      })
    },
    ofPages: (paths: readonly string[], fromWeek: string): readonly PageWeek[] =>
      db
        .prepare(
          'SELECT * FROM page_weeks WHERE path IN (SELECT value FROM json_each(?)) AND week >= ? ORDER BY path, week',
        )
        .all(JSON.stringify(paths), fromWeek)
        .map(readPageWeek),
    firstWeek(): string | null {
      const row = db.prepare('SELECT min(week) AS week FROM page_weeks').get()
      return typeof row?.week === 'string' ? row.week : null
    },
  }
}
