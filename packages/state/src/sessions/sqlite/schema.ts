import type { DatabaseSync } from 'node:sqlite'

/** Version 4; those before it were never released. What a gate looks for is found by an index, since it holds only sessions in use. */
const SCHEMA = `
  CREATE TABLE sessions (
    key TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, sub TEXT NOT NULL, email TEXT NOT NULL, name TEXT,
    started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, proven_at INTEGER NOT NULL, refresh BLOB NOT NULL,
    context TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', address TEXT NOT NULL DEFAULT '',
    parent TEXT REFERENCES sessions (key) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_account ON sessions (context, sub);
  CREATE INDEX sessions_by_proof ON sessions (context, proven_at);
  CREATE INDEX sessions_by_use ON sessions (context, last_seen_at);
  CREATE INDEX sessions_by_start ON sessions (context, started_at);
  CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
  CREATE TABLE spent_tokens (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    email TEXT NOT NULL, sub TEXT NOT NULL, context TEXT NOT NULL DEFAULT '', PRIMARY KEY (email, context)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE revocations (id TEXT PRIMARY KEY, email TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE session_ends (key TEXT PRIMARY KEY, reason TEXT NOT NULL, ended_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
const VERSION = 4

/** Makes the tables of an empty database. Throws for one that holds others, or those of a version that was never released. */
export function migrateSqlite(db: DatabaseSync): void {
  const readVersion = () => Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (readVersion() >= VERSION) return
  db.exec('BEGIN IMMEDIATE')
  try {
    if (readVersion() < VERSION) db.exec(`${SCHEMA} PRAGMA user_version = ${VERSION};`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
