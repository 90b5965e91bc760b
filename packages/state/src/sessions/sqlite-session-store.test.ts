import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { describeSessionStore } from '../testing/session-store-contract.ts'
import { openSqliteSessions } from './sqlite-session-store.ts'

function temporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-store-'))
  return { file: join(folder, 'sessions.db'), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

describeSessionStore('SQLite', async () => {
  const { file, [Symbol.dispose]: remove } = temporaryFile()
  return {
    open: async (context) => openSqliteSessions(file, { context }),
    [Symbol.asyncDispose]: async () => remove(),
  }
})

it('of a store made before there was any context: sessions end, bound accounts go to the first gate', async () => {
  using temporary = temporaryFile()
  const { file } = temporary
  const context = { issuer: 'https://issuer.test/a', projectId: 'a', origin: 'https://portal.test' }
  const db = new DatabaseSync(file)
  db.exec(`
    CREATE TABLE sessions (
      key TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, sub TEXT NOT NULL, email TEXT NOT NULL, name TEXT,
      started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, proven_at INTEGER NOT NULL, refresh BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE spent_tokens (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE accounts (email TEXT PRIMARY KEY, sub TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE revocations (id TEXT PRIMARY KEY, email TEXT NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO sessions VALUES ('k', 'i', 'uid-old', 'a@example.co.jp', NULL, 1, 1, 1, x'00');
    INSERT INTO spent_tokens VALUES ('spent', 1);
    INSERT INTO accounts VALUES ('a@example.co.jp', 'uid-old');
  `)
  db.close()
  await openSqliteSessions(file, { context: null }).close() // an operator's command comes first, and takes nothing
  const store = openSqliteSessions(file, { context })
  const sign = (id: string, sub: string) => {
    const times = { device: '', address: '', startedAtMs: 1, lastSeenAtMs: 1, provenAtMs: 1 }
    const row = {
      key: id,
      id,
      sub,
      email: 'a@example.co.jp',
      name: null,
      ...times,
      refresh: new Uint8Array(),
    }
    return store.insert(row, { digest: id, expiresAtMs: 1 })
  }
  expect(await sign('new', 'uid-new')).toBe('account_changed')
  expect(await sign('spent', 'uid-old')).toBe('replayed')
  expect(await sign('old', 'uid-old')).toBe('inserted')
  expect(await store.list()).toMatchObject([{ id: 'old' }])
  await store.close()
})
