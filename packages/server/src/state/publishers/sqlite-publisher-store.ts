import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Blocking, type CallEngine, forwardCalls, runCall } from '../threads/engine.ts'
import { startEngineThread, type ThreadOptions } from '../threads/engine-thread.ts'
import { type PublisherStore, readTokenRow } from './publisher-store.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, may TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spent (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
const LOCK_TIMEOUT_MS = 2_000

/** Opens the store of one machine, readable by its owner only, in this thread, which each of its calls holds up. */
export function openPublishersEngine(file: string): Blocking<PublisherStore> {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`)
  return {
    spend: (digest, expiresAtMs) =>
      db.prepare('INSERT OR IGNORE INTO spent (digest, expires_at) VALUES (?, ?)').run(digest, expiresAtMs)
        .changes > 0,
    forgetSpent: (beforeMs) => void db.prepare('DELETE FROM spent WHERE expires_at < ?').run(beforeMs),
    findToken(digest) {
      const row = db.prepare('SELECT * FROM tokens WHERE digest = ?').get(digest)
      return row === undefined ? null : readTokenRow(row)
    },
    hasToken: (id) => db.prepare('SELECT 1 FROM tokens WHERE id = ?').get(id) !== undefined,
    addToken: (digest, { id, name, may, createdAtMs, expiresAtMs }) =>
      void db
        .prepare(
          'INSERT INTO tokens (digest, id, name, may, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(digest, id, name, may.join(), createdAtMs, expiresAtMs),
    listTokens: () => db.prepare('SELECT * FROM tokens ORDER BY created_at, id').all().map(readTokenRow),
    removeToken: (id) => db.prepare('DELETE FROM tokens WHERE id = ?').run(id).changes > 0,
    close: () => db.close(),
  }
}

const METHODS = {
  spend: 'write',
  forgetSpent: 'write',
  findToken: 'read',
  hasToken: 'read',
  addToken: 'write',
  listTokens: 'read',
  removeToken: 'write',
  close: 'write',
} as const

/** The same behind promises, for commands, where blocking affects no other caller. */
export function openSqlitePublishers(file: string): PublisherStore {
  const publishers = openPublishersEngine(file)
  return forwardCalls<PublisherStore>(async (call) => runCall({ publishers }, call), 'publishers', METHODS)
}

/** Opens the store in a thread of its own: a token that is spent is synced, and no reader waits for that. */
export async function openSqlitePublishersInThread(
  file: string,
  options: ThreadOptions = {},
): Promise<PublisherStore> {
  const thread = await startEngineThread({ kind: 'publishers', file }, options)
  const call: CallEngine = ({ part, method, args }) => thread.call(part, method, args)
  return { ...forwardCalls<PublisherStore>(call, 'publishers', METHODS), close: thread.close }
}
