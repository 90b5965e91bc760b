import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { runCall } from '../threads/engine.ts'
import { type EngineThread, startEngineThread, type ThreadOptions } from '../threads/engine-thread.ts'
import type { Sql, SqlValue, Statement } from './sql.ts'

/** Tables of each file: publish tokens with spent ID tokens of jobs, and what is recorded of readers. */
const SCHEMAS = {
  publishers: `
  CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, may TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spent (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
  acknowledgements: `
  CREATE TABLE IF NOT EXISTS acknowledgements (
    path TEXT NOT NULL, version TEXT NOT NULL, issuer TEXT NOT NULL, sub TEXT NOT NULL, email TEXT NOT NULL,
    page TEXT NOT NULL, text TEXT NOT NULL, release TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (path, version, issuer, sub)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS acknowledgements_of_account ON acknowledgements (issuer, sub, at);
  CREATE TABLE IF NOT EXISTS visits (
    issuer TEXT NOT NULL, sub TEXT NOT NULL, edition TEXT NOT NULL, base TEXT NOT NULL, release TEXT NOT NULL,
    at INTEGER NOT NULL, is_off INTEGER NOT NULL, PRIMARY KEY (issuer, sub)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS visits_by_time ON visits (at);
  CREATE TABLE IF NOT EXISTS notices (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL, created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL, claim TEXT NOT NULL, attempts INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS notices_by_time ON notices (state, due_at);
  CREATE TABLE IF NOT EXISTS watches (
    issuer TEXT NOT NULL, sub TEXT NOT NULL, email TEXT NOT NULL, folders TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (issuer, sub)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS page_readers (
    week TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (week, path, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS page_weeks (
    path TEXT NOT NULL, week TEXT NOT NULL, readers INTEGER NOT NULL, PRIMARY KEY (path, week)
  ) STRICT, WITHOUT ROWID;
`,
} as const

/** A file of one machine. */
export interface SqlFile {
  readonly kind: keyof typeof SCHEMAS
  readonly file: string
}

/**
 * PostgreSQL's forms as SQLite has them. It locks whole files, compares texts by their bytes, and reads lists as JSON; the context of an
 * operator's command is empty, not null.
 */
const FORMS: readonly (readonly [form: RegExp, own: string])[] = [
  [/\bsekisho\.publish_tokens\b/g, 'tokens'],
  [/\bsekisho\.spent_tokens\b/g, 'spent'],
  [/\bsekisho\./g, ''],
  [/(\$\d)::integer IS NULL/g, "$1 = ''"],
  [/ FOR UPDATE SKIP LOCKED| COLLATE "C"|::(?:json|integer|bigint)\b/g, ''],
  [/\bgreatest\(/g, 'max('],
  [/\bdecode\(([^,]{1,100}), 'hex'\)/g, 'unhex($1)'],
  [/unnest\((\$\d)::text\[\]\) WITH ORDINALITY AS (\w+) \(value, key\)/g, 'json_each($1) AS $2'],
]

const isList = (value: SqlValue): value is readonly string[] => Array.isArray(value)

/** Makes what runs statements of {@link Sql} on an open file, and keeps them prepared. */
export function createStatements(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()
  return (text: string, values: readonly SqlValue[] = []) => {
    const statement =
      prepared.get(text) ?? db.prepare(FORMS.reduce((made, [form, own]) => made.replace(form, own), text))
    prepared.set(text, statement)
    const named = values.map((value, at) => {
      return [`$${at + 1}`, isList(value) ? JSON.stringify(value) : value] as const
    })
    return statement.all(Object.fromEntries(named))
  }
}

const LOCK_TIMEOUT_MS = 2_000

/** Opens a file, readable by its owner only, in this thread, which each call blocks. */
export function openSqlEngine({ kind, file }: SqlFile) {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMAS[kind]}`)
  const query = createStatements(db)
  function together(statements: readonly Statement[]) {
    db.exec('BEGIN IMMEDIATE')
    try {
      const found = statements.map(([text, values]) => query(text, values))
      db.exec('COMMIT')
      return found
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK') // a full disk has ended it
      throw error
    }
  }
  return { parts: { sql: { query, together } }, close: () => db.close() }
}

type Call = (part: string, method: string, args: readonly unknown[]) => Promise<unknown>

const sqlOver = (call: Call, close: () => Promise<void>): Sql => ({
  query: (...args) => call('sql', 'query', args) as ReturnType<Sql['query']>,
  together: (...args) => call('sql', 'together', args) as ReturnType<Sql['together']>,
  close,
})

/** Statements on a file for commands, where nothing else waits. The first one opens it. */
export function openSqlite(place: SqlFile): Sql {
  let opened: ReturnType<typeof openSqlEngine> | null = null
  const call: Call = async (part, method, args) => {
    opened ??= openSqlEngine(place)
    return runCall(opened.parts, { part, method, args })
  }
  return sqlOver(call, async () => opened?.close())
}

/** The same in a thread of its own, so that no request waits for a disk. */
export function openSqliteInThread(place: SqlFile, options: ThreadOptions = {}): Sql {
  let starting: Promise<EngineThread> | null = null
  const start = () => {
    starting ??= startEngineThread(place, options)
    starting.catch(() => {
      starting = null // the next call tries again
    })
    return starting
  }
  return sqlOver(
    async (...call) => (await start()).call(...call),
    async () => (await starting)?.close(),
  )
}
