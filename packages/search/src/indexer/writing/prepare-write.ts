import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Prepares a statement for `run()`. Writes to the full-text table leave a last row id larger than a number, which every later `run()`
 * reports: without BigInts node:sqlite throws ERR_OUT_OF_RANGE (measured with Node 26, contentless_delete).
 */
export function prepareWrite(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}
