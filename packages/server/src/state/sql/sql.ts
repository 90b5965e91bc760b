import type { Database } from '../../storage/database/database.ts'

/** A value of a statement; a list of texts is one. */
export type SqlValue = string | number | null | Uint8Array | readonly string[]
export type Row = Readonly<Record<string, unknown>>
export type Statement = readonly [text: string, values: readonly SqlValue[]]

/**
 * Runs statements of one text on SQLite and PostgreSQL, in the words of the second: tables as `sekisho.NAME`, values as `$1`, and lists as
 * `unnest($1::text[]) WITH ORDINALITY AS NAME (value, key)`. Every call fails when the store cannot be asked.
 */
export interface Sql {
  /** `name` keeps the statement prepared in PostgreSQL. */
  query(text: string, values?: readonly SqlValue[], name?: string): Promise<readonly Row[]>
  /**
   * Runs statements in one transaction; resolves to the rows of each.
   * @param isLazy a power cut may take them back: SQLite waits for no sync
   */
  together(statements: readonly Statement[], isLazy?: boolean): Promise<readonly (readonly Row[])[]>
  close(): Promise<void>
}

/** A list of rows as one value: `value::json ->> 0` is the first cell of each. */
export const rowsOf = (rows: readonly (readonly (string | number | null)[])[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row))

/** Bytes in a list of rows: `decode(…, 'hex')` reads them. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Statements on the database of all gates. Closing it leaves the database open. */
export const onPostgres = ({ query, transaction }: Pick<Database, 'query' | 'transaction'>): Sql => ({
  query,
  together: (statements) =>
    transaction(async (ask) => {
      const found: (readonly Row[])[] = []
      for (const [text, values] of statements) found.push(await ask(text, values))
      return found
    }),
  close: async () => {},
})
