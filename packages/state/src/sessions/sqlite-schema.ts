import type { DatabaseSync } from 'node:sqlite'

const ENDS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS session_ends (key TEXT PRIMARY KEY, reason TEXT NOT NULL, ended_at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
`

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (
    key TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, sub TEXT NOT NULL, email TEXT NOT NULL, name TEXT,
    started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, proven_at INTEGER NOT NULL, refresh BLOB NOT NULL,
    context TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', address TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spent_tokens (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS accounts (
    email TEXT NOT NULL, sub TEXT NOT NULL, context TEXT NOT NULL DEFAULT '', PRIMARY KEY (email, context)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS revocations (id TEXT PRIMARY KEY, email TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${ENDS_SCHEMA}
`

/**
 * To version 1, which knows contexts. Sessions of before may be of any, so they end: everybody signs in once more. Bound
 * accounts stay, and belong to the first gate that opens the store: forgetting them would free every address.
 */
const TO_VERSION_1 = `
  DROP TABLE IF EXISTS sessions;
  ALTER TABLE accounts RENAME TO accounts_0;
  ${SCHEMA}
  INSERT INTO accounts (email, sub) SELECT email, sub FROM accounts_0;
  DROP TABLE accounts_0;
`

/** To version 2, which knows what a session was opened with and why it ended. */
const TO_VERSION_2 = `
  ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
  ${ENDS_SCHEMA}
`

/** To version 3: what a gate looks for is found by an index, since it no longer holds every session in memory. */
const TO_VERSION_3 = `
  CREATE INDEX sessions_of_account ON sessions (context, sub);
  CREATE INDEX sessions_by_proof ON sessions (context, proven_at);
  CREATE INDEX sessions_by_use ON sessions (context, last_seen_at);
  CREATE INDEX sessions_by_start ON sessions (context, started_at);
`

/** To version 4, which knows sessions that were handed over to a preview and end with the one they are from. */
const TO_VERSION_4 = `
  ALTER TABLE sessions ADD COLUMN parent TEXT REFERENCES sessions (key) ON DELETE CASCADE;
  CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
`

/** Brings a database of any earlier version, or an empty one, to the newest. */
export function migrateSqlite(db: DatabaseSync): void {
  const readVersion = () => Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (readVersion() >= 4) return
  db.exec('BEGIN IMMEDIATE')
  try {
    const isOlder = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").get() !== undefined
    const version = readVersion()
    if (version === 0) db.exec(isOlder ? TO_VERSION_1 : SCHEMA)
    if (version === 1) db.exec(TO_VERSION_2)
    if (version < 3) db.exec(TO_VERSION_3)
    if (version < 4) db.exec(`${TO_VERSION_4} PRAGMA user_version = 4;`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
