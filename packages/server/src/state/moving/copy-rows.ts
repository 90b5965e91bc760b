import type { Query } from '../../storage/database/database.ts'

/** Rows to copy into a table; a column `context` is written as the number of the context that it names. */
export interface SourceTable {
  readonly name: string
  readonly columns: readonly string[]
  read(): Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>
}

const MAX_ROWS = 500

/** Copies a table some hundred rows at a time, and resolves to how many there were; rows of other contexts are left where they are. */
export async function copyRows(
  ask: Query,
  { name, columns, read }: SourceTable,
  contexts: ReadonlyMap<string, number>,
  onProgress: (rows: number) => void,
): Promise<number> {
  const at = columns.indexOf('context')
  let copied = 0
  let page: (readonly unknown[])[] = []
  const write = async () => {
    await insertRows(ask, name, columns, page)
    copied += page.length
    page = []
    onProgress(copied)
  }
  for await (const row of read()) {
    const context = at === -1 ? null : contexts.get(String(row[at]))
    if (context === undefined) continue
    page.push(context === null ? row : row.with(at, context))
    if (page.length === MAX_ROWS) await write()
  }
  await write()
  return copied
}

/** Inserts rows in statements of some hundred. */
export async function insertRows(
  ask: Query,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    const page = rows.slice(from, from + MAX_ROWS)
    const places = page.map(
      (row, at) => `(${row.map((_, column) => `$${at * columns.length + column + 1}`).join(', ')})`,
    )
    const values = page.flat().map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
    await ask(`INSERT INTO sekisho.${table} (${columns.join(', ')}) VALUES ${places.join(', ')}`, values)
  }
}
