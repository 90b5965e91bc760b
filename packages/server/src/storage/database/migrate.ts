import type pg from 'pg'
import { problemOf } from '../texts/index.ts'
import { type Database, DatabaseError, describe } from './database.ts'
import { asDatabaseError } from './failures.ts'
import { ADDITIVE_SINCE, GATE_GRANTS, MIGRATIONS, OPERATOR_GRANTS } from './schema.ts'
import { connectToPrimary, urlsOf } from './server-connection.ts'

interface Migrated {
  readonly from: number
  readonly to: number
}

/** Roles that are granted what they need; without one, those that had it before. */
export interface GrantedRoles {
  readonly gate?: string | undefined
  readonly operator?: string | undefined
}

/** Two who migrate at once take turns at this lock; the number means nothing. */
const LOCK = 7_361_953
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Brings the schema to the version of this software, each step in a transaction of its own, and grants roles what they
 * need. Throws `DatabaseError` with what the operator has to change.
 */
export async function migrateDatabase(url: string, roles: GrantedRoles = {}): Promise<Migrated> {
  const settings = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'sekisho migrate' }
  const { client, isPooled } = await connectToPrimary(urlsOf(url), settings).catch((error) => {
    throw asDatabaseError(error, (reason) => problemOf('not_migrated', reason))
  })
  try {
    if (isPooled) throw new DatabaseError(problemOf('behind_pooler'))
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]) // ends with the connection
    await client.query('CREATE SCHEMA IF NOT EXISTS sekisho')
    await client.query(
      'CREATE TABLE IF NOT EXISTS sekisho.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await client.query('ALTER TABLE sekisho.migrations ADD COLUMN IF NOT EXISTS oldest_reader integer')
    const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM sekisho.migrations')
    const from = Number(rows[0]?.version)
    if (from > MIGRATIONS.length) throw new DatabaseError(problemOf('new_schema', from, MIGRATIONS.length))
    for (const [index, sql] of MIGRATIONS.entries()) {
      if (index < from) continue
      await client.query('BEGIN')
      await client.query(sql)
      const version = index + 1
      const noted = 'INSERT INTO sekisho.migrations (version, oldest_reader) VALUES ($1, $2)'
      await client.query(noted, [version, Math.min(version, ADDITIVE_SINCE)])
      await client.query('COMMIT')
    }
    await grantAll(client, GATE_GRANTS, roles.gate, 'INSERT ON sekisho.sessions')
    await grantAll(client, OPERATOR_GRANTS, roles.operator, 'DELETE ON sekisho.audit_lines')
    return { from, to: MIGRATIONS.length }
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    throw new DatabaseError(problemOf('not_migrated', describe(error)))
  } finally {
    await client.end().catch(() => {})
  }
}

/** Grants a role what it needs, and without one those who hold a right by which their kind is known: a newer schema's tables are theirs, too. */
async function grantAll(
  client: pg.Client,
  grants: readonly string[],
  role: string | undefined,
  knownBy: 'INSERT ON sekisho.sessions' | 'DELETE ON sekisho.audit_lines',
): Promise<void> {
  const [right, table] = knownBy.split(' ON ')
  const { rows } = await client.query(
    `SELECT DISTINCT pg_get_userbyid(grantee) AS role FROM pg_class, aclexplode(relacl)
     WHERE oid = $1::regclass AND privilege_type = $2 AND grantee NOT IN (0, relowner)`,
    [table, right],
  )
  for (const one of role === undefined ? rows.map((row) => String(row.role)) : [role]) {
    for (const grant of grants) await client.query(`GRANT ${grant} TO ${client.escapeIdentifier(one)}`)
  }
}

/**
 * Throws `DatabaseError` unless this software works with the schema: its own version, or a newer one that says so. Then resolves to a
 * sentence about that, else to null.
 */
export async function assertMigrated({ query }: Pick<Database, 'query'>): Promise<string | null> {
  const known = MIGRATIONS.length
  const version = await query('SELECT max(version) AS version FROM sekisho.migrations').then(
    ([row]) => Number(row?.version),
    (error: Error) => {
      throw new DatabaseError(problemOf('no_schema', error.message))
    },
  )
  if (version < known) {
    throw new DatabaseError(problemOf('old_schema', version, known))
  }
  if (version === known) return null
  const [row] = await query(
    'SELECT max(coalesce(oldest_reader, version)) AS oldest FROM sekisho.migrations WHERE version > $1',
    [known],
  )
  if (Number(row?.oldest) > known) throw new DatabaseError(problemOf('new_schema', version, known))
  return `the schema is version ${version}, of a newer sekisho; this one knows ${known} and works with it until it is replaced`
}
