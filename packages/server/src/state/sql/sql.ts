import type { Database } from '../../storage/database/database.ts'

/** A value of a statement; a list of texts is one. */
export type SqlValue = string | number | readonly string[]
export type Row = Readonly<Record<string, unknown>>
export type Statement = readonly [text: string, values: readonly SqlValue[]]

/**
 * Runs statements of one text on SQLite and PostgreSQL, in the words of the second: tables as `sekisho.NAME`, values as `$1`, and lists as
 * `unnest($1::text[]) WITH ORDINALITY AS NAME (value, key)`. Every call fails when the store cannot be asked.
 */
export interface Sql {
  query(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
  /** Runs statements in one transaction. */
  together(statements: readonly Statement[]): Promise<void>
  close(): Promise<void>
}

/** Statements on the database of all gates. Closing it leaves the database open. */
export const onPostgres = ({ query, transaction }: Pick<Database, 'query' | 'transaction'>): Sql => ({
  query,
  together: (statements) =>
    transaction(async (ask) => {
      for (const [text, values] of statements) await ask(text, values)
    }),
  close: async () => {},
})
