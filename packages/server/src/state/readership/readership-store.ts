import type { Sql } from '../sql/sql.ts'

/** Readers of a page in one week. */
export interface PageWeek {
  readonly path: string
  /** Monday of the week, `YYYY-MM-DD`. */
  readonly week: string
  /** Accounts; 0 for fewer than {@link MIN_READERS}. */
  readonly readers: number
}

/** A page with the digest of an account that opened it, of which no other page has the same. */
export type PageReader = readonly [path: string, digest: string]

/** Readers of pages by week, without names. Every method fails when the store cannot be asked. */
export interface ReadershipStore {
  /** Notes readers of a week, each of a page once. */
  note(week: string, readers: readonly PageReader[]): Promise<void>
  /** Counts weeks before this one, drops their digests, and forgets weeks before the other. */
  closeWeeks(before: string, forgetBefore: string): Promise<void>
  /** Closed weeks of at most {@link MAX_PATHS} pages, from a week on. */
  ofPages(paths: readonly string[], fromWeek: string): Promise<readonly PageWeek[]>
  /** The first closed week that is kept; null without any. */
  firstWeek(): Promise<string | null>
}

/** Fewer readers than this are not told apart from none but by the fact itself. */
export const MIN_READERS = 5
export const MAX_PATHS = 500

/** Keeps readers of pages on either database. */
export function createReadershipStore({ query, together }: Sql): ReadershipStore {
  return {
    async note(week, readers) {
      await query(
        `INSERT INTO sekisho.page_readers (week, path, digest)
         SELECT $1, value::json ->> 0, value::json ->> 1 FROM unnest($2::text[]) WITH ORDINALITY AS readers (value, key)
         WHERE true ON CONFLICT DO NOTHING`,
        [week, readers.map((reader) => JSON.stringify(reader))],
      )
    },
    // The counts of a week that another gate closes at the same time are there, and stay.
    async closeWeeks(before, forgetBefore) {
      await together([
        [
          `INSERT INTO sekisho.page_weeks (path, week, readers)
           SELECT path, week, CASE WHEN count(*) < ${MIN_READERS} THEN 0 ELSE count(*) END
           FROM sekisho.page_readers WHERE week < $1 GROUP BY week, path ON CONFLICT DO NOTHING`,
          [before],
        ],
        ['DELETE FROM sekisho.page_readers WHERE week < $1', [before]],
        ['DELETE FROM sekisho.page_weeks WHERE week < $1', [forgetBefore]],
      ])
    },
    async ofPages(paths, fromWeek) {
      const rows = await query(
        `SELECT path, week, readers FROM sekisho.page_weeks
         WHERE path IN (SELECT value FROM unnest($1::text[]) WITH ORDINALITY AS asked (value, key)) AND week >= $2 ORDER BY path, week`,
        [paths, fromWeek],
      )
      return rows.map(({ path, week, readers }) => {
        return { path: String(path), week: String(week), readers: Number(readers) }
      })
    },
    async firstWeek() {
      const [row] = await query('SELECT min(week) AS week FROM sekisho.page_weeks')
      return typeof row?.week === 'string' ? row.week : null
    },
  }
}
