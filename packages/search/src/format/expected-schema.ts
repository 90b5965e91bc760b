import { DatabaseSync } from 'node:sqlite'
import { IndexMismatchError } from './errors.ts'
import { LEXICON_INDEXES, SCHEMA } from './schema.ts'
import { VECTOR_TABLE } from './vectors.ts'

/** Every object of an index, shadow tables of FTS5 included, as this SQLite writes them. */
let expected: { readonly always: ReadonlySet<string>; readonly vector: string } | null = null

/**
 * Refuses a file with anything but the tables and indexes of an index, each defined as in `SCHEMA`: no view, trigger, generated column,
 * collation or other virtual table. Reads `sqlite_schema` alone. Throws `IndexMismatchError`.
 */
export function assertSchema(database: DatabaseSync): void {
  expected ??= readExpected()
  const missing = new Set(expected.always)
  for (const object of readObjects(database)) {
    if (!missing.delete(object) && object !== expected.vector) throw otherTables()
  }
  if (missing.size > 0) throw otherTables()
}

function readExpected(): NonNullable<typeof expected> {
  const database = new DatabaseSync(':memory:')
  try {
    database.exec(SCHEMA + LEXICON_INDEXES)
    const always = new Set(readObjects(database))
    database.exec(VECTOR_TABLE)
    return { always, vector: [...readObjects(database)].find((object) => !always.has(object)) ?? '' }
  } finally {
    database.close()
  }
}

/** One string for each object; a name that occurs twice is found by the set it is taken from. */
function* readObjects(database: DatabaseSync): Generator<string> {
  try {
    const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').iterate()
    for (const { type, name, tbl_name: table, sql } of rows) {
      const text = typeof sql === 'string' ? sql.replace(/\s+/g, ' ') : sql
      yield JSON.stringify([type, name, table, text])
    }
  } catch (cause) {
    throw new IndexMismatchError('The file is not a search index', { cause })
  }
}

function otherTables(): IndexMismatchError {
  return new IndexMismatchError('The search index has other tables than an index has; build it again')
}
