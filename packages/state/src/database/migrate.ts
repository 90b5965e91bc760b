import pg from 'pg'
import { type Database, DatabaseError, describe } from './database.ts'
import { GATE_GRANTS, MIGRATIONS } from './schema.ts'

export interface Migrated {
  readonly from: number
  readonly to: number
}

/** Two who migrate at once take turns at this lock; the number means nothing. */
const LOCK = 7_361_953
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Brings the schema to the version of this software, each step in a transaction of its own, and grants a gate's role what it
 * needs. Throws `DatabaseError` with what the operator has to change.
 */
export async function migrateDatabase(url: string, gateRole: string | null): Promise<Migrated> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sekisho migrate',
  })
  client.on('error', () => {}) // the statement under way fails, too
  try {
    await client.connect()
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]) // ends with the connection
    await client.query('CREATE SCHEMA IF NOT EXISTS sekisho')
    await client.query(
      'CREATE TABLE IF NOT EXISTS sekisho.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM sekisho.migrations')
    const from = Number(rows[0]?.version)
    if (from > MIGRATIONS.length) throw new DatabaseError(newerSchema(from))
    for (const [index, sql] of MIGRATIONS.entries()) {
      if (index < from) continue
      await client.query('BEGIN')
      await client.query(sql)
      await client.query('INSERT INTO sekisho.migrations (version) VALUES ($1)', [index + 1])
      await client.query('COMMIT')
    }
    if (gateRole !== null) {
      for (const grant of GATE_GRANTS) {
        await client.query(`GRANT ${grant} TO ${client.escapeIdentifier(gateRole)}`)
      }
    }
    return { from, to: MIGRATIONS.length }
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    throw new DatabaseError(`the database could not be migrated: ${describe(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Throws `DatabaseError` unless the schema is the one that this software was made for. */
export async function assertMigrated({ query }: Database): Promise<void> {
  const version = await query('SELECT max(version) AS version FROM sekisho.migrations').then(
    ([row]) => Number(row?.version),
    (error: Error) => {
      throw new DatabaseError(
        `the database has no schema that this role may use; run: sekisho migrate --grant ROLE (${error.message})`,
      )
    },
  )
  if (version > MIGRATIONS.length) throw new DatabaseError(newerSchema(version))
  if (version < MIGRATIONS.length) {
    throw new DatabaseError(
      `the database's schema is version ${version}, and ${MIGRATIONS.length} is needed; run: sekisho migrate`,
    )
  }
}

function newerSchema(version: number): string {
  return `the database's schema is version ${version}, made by a newer sekisho than this one, which knows ${MIGRATIONS.length}; update this one`
}
