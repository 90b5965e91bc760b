import type { Database } from '../../storage/database/database.ts'
import { MIN_READERS, type ReadershipStore, readPageWeek } from './readership-store.ts'

/** Readers of pages at all gates on a database. */
export function createPostgresReadership({
  query,
  transaction,
}: Pick<Database, 'query' | 'transaction'>): ReadershipStore {
  return {
    async note(week, readers) {
      await query(
        `INSERT INTO sekisho.page_readers (week, path, digest) SELECT $1, reader.path, reader.digest
         FROM unnest($2::text[], $3::text[]) AS reader (path, digest) ON CONFLICT DO NOTHING`,
        [week, readers.map(([path]) => path), readers.map(([, digest]) => digest)],
      )
    },
    closeWeeks: (before, forgetBefore) =>
      transaction(async (ask) => {
        // What one gate has counted and deleted, another one that waited for it does not find.
        await ask(
          `WITH gone AS (DELETE FROM sekisho.page_readers WHERE week < $1 RETURNING week, path)
           INSERT INTO sekisho.page_weeks (path, week, readers)
           SELECT path, week, CASE WHEN count(*) < ${MIN_READERS} THEN 0 ELSE count(*) END FROM gone GROUP BY week, path
           ON CONFLICT DO NOTHING`,
          [before],
        )
        await ask('DELETE FROM sekisho.page_weeks WHERE week < $1', [forgetBefore])
      }),
    ofPages: async (paths, fromWeek) =>
      (
        await query(
          'SELECT path, week, readers FROM sekisho.page_weeks WHERE path = ANY ($1::text[]) AND week >= $2 ORDER BY path, week',
          [paths, fromWeek],
        )
      ).map(readPageWeek),
    async firstWeek() {
      const [row] = await query('SELECT min(week) AS week FROM sekisho.page_weeks')
      return typeof row?.week === 'string' ? row.week : null
    },
  }
}
