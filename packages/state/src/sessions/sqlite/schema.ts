import type { DatabaseSync } from 'node:sqlite'

/** Version 5; those before 4 were never released. What a gate looks for is found by an index, since it holds only sessions in use. */
const SCHEMA = `
  CREATE TABLE sessions (
    key TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, sub TEXT NOT NULL, email TEXT NOT NULL, name TEXT,
    started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, proven_at INTEGER NOT NULL, refresh BLOB NOT NULL,
    context TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', address TEXT NOT NULL DEFAULT '',
    parent TEXT REFERENCES sessions (key) ON DELETE CASCADE,
    issuer TEXT NOT NULL, sid TEXT, vouched TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_account ON sessions (context, issuer, sub);
  CREATE INDEX sessions_by_sid ON sessions (context, issuer, sid) WHERE sid IS NOT NULL;
  CREATE INDEX sessions_by_proof ON sessions (context, proven_at);
  CREATE INDEX sessions_by_use ON sessions (context, last_seen_at);
  CREATE INDEX sessions_by_start ON sessions (context, started_at);
  CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
  CREATE TABLE spent_tokens (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    email TEXT NOT NULL, issuer TEXT NOT NULL, sub TEXT NOT NULL, context TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (email, issuer, context)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE revocations (id TEXT PRIMARY KEY, email TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE session_ends (key TEXT PRIMARY KEY, reason TEXT NOT NULL, ended_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
const VERSION = 5

/** From version 4, which knew one issuer: that of its context. */
const FROM_4 = `
  ALTER TABLE sessions ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN sid TEXT;
  ALTER TABLE sessions ADD COLUMN vouched TEXT NOT NULL DEFAULT '["address","all"]';
  UPDATE sessions SET issuer = context ->> '$[0]' WHERE context <> '';
  ALTER TABLE accounts RENAME TO accounts_4;
  CREATE TABLE accounts (
    email TEXT NOT NULL, issuer TEXT NOT NULL, sub TEXT NOT NULL, context TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (email, issuer, context)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO accounts SELECT email, iif(context = '', '', context ->> '$[0]'), sub, context FROM accounts_4;
  DROP TABLE accounts_4;
  DROP INDEX sessions_of_account;
  CREATE INDEX sessions_of_account ON sessions (context, issuer, sub);
  CREATE INDEX sessions_by_sid ON sessions (context, issuer, sid) WHERE sid IS NOT NULL;
`

/** Makes the tables of an empty database. Throws for one that holds others, or those of a version that was never released. */
export function migrateSqlite(db: DatabaseSync): void {
  const readVersion = () => Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (readVersion() >= VERSION) return
  db.exec('BEGIN IMMEDIATE')
  try {
    const version = readVersion()
    if (version < VERSION) db.exec(`${version === 4 ? FROM_4 : SCHEMA} PRAGMA user_version = ${VERSION};`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
