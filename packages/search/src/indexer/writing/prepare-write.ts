import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Prepares a statement for `run()`. After a write to the full-text table the connection's last row id is one of its
 * inner tables', larger than a number can hold, and every later `run()` reports it, whichever table it writes to:
 * without BigInts node:sqlite throws ERR_OUT_OF_RANGE (measured with Node 26, contentless_delete).
 */
export function prepareWrite(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}
