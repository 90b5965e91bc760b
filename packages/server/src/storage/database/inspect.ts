import { DatabaseError, describe } from './database.ts'
import { asDatabaseError } from './failures.ts'
import { GATE_GRANTS, MIGRATIONS } from './schema.ts'
import { connectToPrimary, urlsOf } from './server-connection.ts'

/** Facts of the database and of the connected role. */
export interface DatabaseReport {
  readonly role: string
  readonly isSuperuser: boolean
  /** The role owns the tables, so that it may do anything to them. */
  readonly isOwner: boolean
  /** Null where there is no schema, or none whose version this role may read. */
  readonly schemaVersion: number | null
  readonly neededVersion: number
  /** This software supports that version: its own, and a newer one that declares so. */
  readonly isReadable: boolean
  /** Rights that a gate needs and this role lacks, as `SELECT ON sekisho.accounts`. */
  readonly missing: readonly string[]
  /** Rights that no gate needs and this role has. */
  readonly excess: readonly string[]
  /** Milliseconds since the epoch, by the database's clock. */
  readonly nowMs: number
  /** Connections that are still to be had. */
  readonly freeConnections: number
  /** The audit trail with its indexes; null without a schema. */
  readonly trail: { readonly bytes: number; readonly sinceMs: number | null } | null
}

const CONNECT_TIMEOUT_MS = 5_000
const TABLE_RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']

/** Asks a database, over one connection and without changing anything. Throws `DatabaseError` when it cannot be reached. */
export async function inspectDatabase(url: string): Promise<DatabaseReport> {
  const settings = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'sekisho check',
  }
  const { client } = await connectToPrimary(urlsOf(url), settings).catch((error) => {
    throw asDatabaseError(error, (reason) => reason)
  })
  try {
    const rows = async (text: string, values: readonly unknown[] = []) =>
      (await client.query<Record<string, unknown>>(text, [...values])).rows
    const [self = {}] = await rows(SELF)
    const held = readHeld(await rows(HELD, [TABLE_RIGHTS]))
    const hasSchema = held.tables.size > 0
    const mayUse = self.may_use === true && held.rights.has('SELECT ON sekisho.migrations')
    const [version] = mayUse ? await rows(VERSION, [MIGRATIONS.length]) : []
    const wanted = readGrants(GATE_GRANTS, held.columns)
    return {
      role: String(self.role),
      isSuperuser: self.is_superuser === true,
      isOwner: held.isOwner,
      schemaVersion: version === undefined ? null : Number(version.version),
      neededVersion: MIGRATIONS.length,
      isReadable: Number(version?.version) >= MIGRATIONS.length && version?.is_readable === true,
      missing: [
        ...(hasSchema && self.may_use !== true ? ['USAGE ON SCHEMA sekisho'] : []),
        ...[...wanted].filter((right) => held.tables.has(tableOf(right)) && !held.rights.has(right)),
      ],
      excess: [...held.rights].filter((right) => !wanted.has(right)),
      nowMs: Number(self.now_ms),
      freeConnections: Number(self.free_connections),
      trail: hasSchema ? await readTrail(rows, held.rights) : null,
    }
  } catch (error) {
    throw new DatabaseError(describe(error))
  } finally {
    await client.end().catch(() => {})
  }
}

/** A schema from before has no column that says who may read it. */
const VERSION = `
  SELECT max(version) AS version,
    coalesce(bool_and(coalesce((to_jsonb(m) ->> 'oldest_reader')::int, version) <= $1) FILTER (WHERE version > $1), true) AS is_readable
  FROM sekisho.migrations m`

type Rows = readonly Readonly<Record<string, unknown>>[]

const SELF = `
  SELECT current_user AS role,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
    coalesce((SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = 'sekisho'), false) AS may_use,
    extract(epoch FROM clock_timestamp()) * 1000 AS now_ms,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS free_connections`

/** Every table, its owner, its columns that may be updated, and what may be done to the whole of it. */
const HELD = `
  SELECT 'sekisho.' || c.relname AS table_name, pg_has_role(c.relowner, 'MEMBER') AS is_owner,
    (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      AND has_column_privilege(c.oid, attnum, 'UPDATE')) AS updatable,
    (SELECT array_agg(right_name) FROM unnest($1::text[]) AS right_name WHERE has_table_privilege(c.oid, right_name)) AS rights
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'sekisho' AND c.relkind = 'r' ORDER BY c.relname`

function readHeld(rows: Rows) {
  const rights = new Set<string>()
  const columns = new Map<string, readonly string[]>()
  for (const { table_name: table, columns: all, updatable, rights: whole } of rows) {
    columns.set(String(table), readNames(all))
    for (const right of readNames(whole)) if (right !== 'UPDATE') rights.add(`${right} ON ${table}`)
    for (const column of readNames(updatable)) rights.add(`UPDATE (${column}) ON ${table}`)
  }
  return {
    rights,
    columns,
    tables: new Set(columns.keys()),
    isOwner: rows.some(({ is_owner: isOwner }) => isOwner === true),
  }
}

/** The grants of a gate one by one; an update of a whole table is one of each of its columns. */
function readGrants(grants: readonly string[], columns: ReadonlyMap<string, readonly string[]>) {
  const wanted = new Set<string>()
  for (const grant of grants) {
    const [rights = '', tables = ''] = grant.split(' ON ')
    for (const table of tables.startsWith('sekisho.') ? tables.split(', ') : []) {
      const [, ofColumns] = /^UPDATE \((.+)\)$/.exec(rights) ?? []
      const updated = ofColumns?.split(', ') ?? (/\bUPDATE\b/.test(rights) ? columns.get(table) : [])
      for (const column of updated ?? []) wanted.add(`UPDATE (${column}) ON ${table}`)
      if (ofColumns !== undefined) continue
      for (const right of rights.split(', ')) if (right !== 'UPDATE') wanted.add(`${right} ON ${table}`)
    }
  }
  return wanted
}

const tableOf = (right: string) => right.slice(right.indexOf(' ON ') + 4)

function readNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

async function readTrail(rows: (text: string) => Promise<Rows>, rights: ReadonlySet<string>) {
  const [size] = await rows(
    `SELECT pg_total_relation_size(c.oid) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'sekisho' AND c.relname = 'audit_lines'`,
  )
  if (size === undefined) return null
  const mayRead = rights.has('SELECT ON sekisho.audit_lines')
  // The first line of each chain that is kept, by the primary key.
  const [first] = mayRead
    ? await rows(`SELECT min((SELECT line FROM sekisho.audit_lines l WHERE l.chain = h.chain ORDER BY seq LIMIT 1)::json ->> 'at') AS at
        FROM sekisho.audit_heads h`).catch(() => [])
    : []
  const sinceMs = Date.parse(String(first?.at))
  return { bytes: Number(size.bytes), sinceMs: Number.isNaN(sinceMs) ? null : sinceMs }
}
