import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type PublisherStore, readTokenRow } from './publisher-store.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, may TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spent (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
const LOCK_TIMEOUT_MS = 2_000

/** Opens the store of one machine, readable by its owner only. */
export function openSqlitePublishers(file: string): PublisherStore {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`)
  return {
    spend: async (digest, expiresAtMs) =>
      db.prepare('INSERT OR IGNORE INTO spent VALUES (?, ?)').run(digest, expiresAtMs).changes > 0,
    forgetSpent: async (beforeMs) => void db.prepare('DELETE FROM spent WHERE expires_at < ?').run(beforeMs),
    async findToken(digest) {
      const row = db.prepare('SELECT * FROM tokens WHERE digest = ?').get(digest)
      return row === undefined ? null : readTokenRow(row)
    },
    hasToken: async (id) => db.prepare('SELECT 1 FROM tokens WHERE id = ?').get(id) !== undefined,
    addToken: async (digest, { id, name, may, createdAtMs, expiresAtMs }) =>
      void db
        .prepare('INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?)')
        .run(digest, id, name, may.join(), createdAtMs, expiresAtMs),
    listTokens: async () =>
      db.prepare('SELECT * FROM tokens ORDER BY created_at, id').all().map(readTokenRow),
    removeToken: async (id) => db.prepare('DELETE FROM tokens WHERE id = ?').run(id).changes > 0,
    close: async () => db.close(),
  }
}
