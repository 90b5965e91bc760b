import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type Database,
  DatabaseError,
  describe,
  openDatabase,
  type Query,
} from '../../storage/database/database.ts'
import { asDatabaseError } from '../../storage/database/failures.ts'
import { migrateDatabase } from '../../storage/database/migrate.ts'
import { connectToPrimary, urlsOf } from '../../storage/database/server-connection.ts'
import { problemOf } from '../../storage/texts/index.ts'
import { assertEmpty, TABLES } from '../moving/move-to-postgres.ts'

const PAGE_ROWS = 500
/** Tables whose ids the database counts. */
const COUNTED = ['contexts', 'search_log']

const fileOf = (table: string) => join('database', `${table}.jsonl`)

/** File of each table in an online copy, one row in JSON on a line. */
export const DATABASE_FILES: readonly string[] = TABLES.map(fileOf)

/** Metadata of a database beside its rows. */
interface CopiedDatabase {
  /** Of the secret; null where no gate has run yet. */
  readonly fingerprint: string | null
}

const CONNECT_TIMEOUT_MS = 15_000

/** Writes every row of a database as of one moment; gates go on meanwhile. Needs the role that owns the schema. */
export async function writeDatabase(url: string, out: string): Promise<CopiedDatabase> {
  const settings = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'sekisho backup' }
  const { client } = await connectToPrimary(urlsOf(url), settings).catch((error) => {
    throw asDatabaseError(error, (reason) => problemOf('not_backed_up', reason))
  })
  const ask: Query = async (text, values) =>
    (await client.query(text, values === undefined ? [] : [...values])).rows
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    for (const table of TABLES) {
      const target = createWriteStream(join(out, fileOf(table)), { mode: 0o600 })
      await pipeline(Readable.from(readLines(ask, table)), target)
    }
    const [row] = await ask('SELECT fingerprint FROM sekisho.secret')
    return { fingerprint: row === undefined ? null : String(row.fingerprint) }
  } catch (error) {
    throw new DatabaseError(problemOf('not_backed_up', describe(error)))
  } finally {
    await client.end().catch(() => {})
  }
}

async function* readLines(ask: Query, table: string): AsyncGenerator<string> {
  const order = table === 'sessions' ? ' ORDER BY parent IS NOT NULL' : ''
  await ask(
    `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS line FROM sekisho.${table} t${order}`,
  )
  for (;;) {
    const rows = await ask(`FETCH ${PAGE_ROWS} FROM rows`)
    if (rows.length === 0) break
    yield rows.map(({ line }) => `${line}\n`).join('')
  }
  await ask('CLOSE rows')
}

/** Undoes what a dry run wrote. */
class DryRun extends Error {}

/**
 * Reads rows that {@link writeDatabase} wrote into a database that holds nothing: all of them or none.
 * @param decide is the last act before they count; null has the database refuse or take them, and then forget them
 */
export async function readIntoDatabase(
  url: string,
  from: string,
  decide: (() => Promise<void>) | null,
): Promise<number> {
  await migrateDatabase(url)
  return withDatabase(url, async (database) => {
    let count = 0
    try {
      await database.transaction(async (ask) => {
        await assertEmpty(ask)
        for (const table of TABLES) count += await readTable(ask, table, join(from, fileOf(table)))
        for (const table of COUNTED)
          await ask(
            `SELECT setval(pg_get_serial_sequence('sekisho.${table}', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM sekisho.${table}), false)`,
          )
        if (decide === null) throw new DryRun()
        await decide()
      })
    } catch (error) {
      if (!(error instanceof DryRun)) throw error
    }
    return count
  })
}

async function readTable(ask: Query, table: string, file: string): Promise<number> {
  const known = new Set(
    (
      await ask(
        'SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
        ['sekisho', table],
      )
    ).map(({ column_name: name }) => String(name)),
  )
  let columns: string | null = null
  let page: string[] = []
  let count = 0
  const write = async () => {
    if (columns === null || page.length === 0) return
    await ask(
      `INSERT INTO sekisho.${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM json_populate_recordset(NULL::sekisho.${table}, $1::json)`,
      [`[${page.join(',')}]`],
    )
    count += page.length
    page = []
  }
  for await (const line of createInterface(createReadStream(file))) {
    // columns that an older version lacked keep their defaults
    columns ??= Object.keys(JSON.parse(line))
      .filter((name) => known.has(name))
      .join(', ')
    page.push(line)
    if (page.length === PAGE_ROWS) await write()
  }
  await write()
  return count
}

async function withDatabase<T>(
  url: string,
  run: (database: Pick<Database, 'transaction'>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url, isOperator: true, onProblem: () => {} })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}
