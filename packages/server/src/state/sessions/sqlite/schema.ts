import type { DatabaseSync } from 'node:sqlite'
import { DataFolderError } from '../../../storage/data-folder.ts'
import { problemOf } from '../../../storage/texts/index.ts'

/** Grants of agents hang on offline sessions. */
const GRANTS = `
  CREATE INDEX sessions_standing ON sessions (context, started_at) WHERE kind = 'standing';
  CREATE TABLE grants (
    id TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE, kind TEXT NOT NULL,
    client TEXT NOT NULL, name TEXT NOT NULL, edition TEXT, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    used_at INTEGER, calls INTEGER NOT NULL, refresh TEXT NOT NULL, seal BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX grants_of_session ON grants (session);
  CREATE INDEX grants_by_end ON grants (expires_at);
  CREATE TABLE grant_tokens (
    digest TEXT PRIMARY KEY, grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE, use TEXT NOT NULL, detail TEXT NOT NULL,
    expires_at INTEGER NOT NULL, seal BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX grant_tokens_of_grant ON grant_tokens (grant_id);
  CREATE INDEX grant_tokens_by_end ON grant_tokens (expires_at);
  CREATE TABLE agent_clients (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, redirects TEXT NOT NULL, used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX agent_clients_by_use ON agent_clients (used_at);
`
/** Secret that seals the sessions of a context; and the oldest software version that supports this schema, from version 7 on. */
const SECRETS = `
  CREATE TABLE secrets (context TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE readers (oldest INTEGER NOT NULL) STRICT;
  INSERT INTO readers VALUES (6);
`

/** Version 7; those before 4 were never released. What a gate looks for is found by an index, since it holds only sessions in use. */
const SCHEMA = `
  CREATE TABLE sessions (
    key TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, sub TEXT NOT NULL, email TEXT NOT NULL, name TEXT,
    started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, proven_at INTEGER NOT NULL, refresh BLOB NOT NULL,
    context TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', address TEXT NOT NULL DEFAULT '',
    parent TEXT REFERENCES sessions (key) ON DELETE CASCADE,
    issuer TEXT NOT NULL, sid TEXT, vouched TEXT NOT NULL, kind TEXT NOT NULL DEFAULT ''
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
  ${GRANTS}
  ${SECRETS}
`
const VERSION = 7

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

/** From version 5, which knew no agents. */
const FROM_5 = `ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT ''; ${GRANTS}`
/** Migrations of earlier databases to this version. */
const STEPS: ReadonlyMap<number, string> = new Map([
  [4, FROM_4 + FROM_5 + SECRETS],
  [5, FROM_5 + SECRETS],
  [6, SECRETS],
])

/** Makes the tables of an empty database. Throws for one that holds others, or those of a version that was never released. */
export function migrateSqlite(db: DatabaseSync): void {
  const readVersion = () => Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (readVersion() > VERSION) assertReadable(db, readVersion())
  if (readVersion() >= VERSION) return
  db.exec('BEGIN IMMEDIATE')
  try {
    const version = readVersion()
    if (version < VERSION) db.exec(`${STEPS.get(version) ?? SCHEMA} PRAGMA user_version = ${VERSION};`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** A gate of the version before may be restarted on what the next one left. */
function assertReadable(db: DatabaseSync, version: number): void {
  const oldest = Number(db.prepare('SELECT max(oldest) AS oldest FROM readers').get()?.oldest)
  if (oldest <= VERSION) return
  throw new DataFolderError(problemOf('sessions_newer', version, VERSION))
}
