import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSessionStore, type SessionContext } from './session-store.ts'

const OWN: SessionContext = { issuer: 'https://issuer.test/a', projectId: 'a', origin: 'https://portal.test' }
const OTHERS: readonly (readonly [row: string, context: SessionContext])[] = [
  ['a local gate', { issuer: 'local', projectId: 'demo-sekisho', origin: 'http://localhost:3000' }],
  ['another issuer', { ...OWN, issuer: 'https://issuer.test/b' }],
  ['another project', { ...OWN, projectId: 'b' }],
  ['another origin', { ...OWN, origin: 'https://other.test' }],
]

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-context-'))
  file = join(folder, 'sessions.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

function sign(context: SessionContext, id: string, sub: string) {
  using store = open(context)
  const times = { device: '', address: '', startedAtMs: 1, lastSeenAtMs: 1, provenAtMs: 1 }
  const row = { key: id, id, sub, email: 'a@example.co.jp', name: null, ...times, refresh: new Uint8Array() }
  return store.insert(row, { digest: id, expiresAtMs: 1 })
}

function open(context: SessionContext | null) {
  const store = openSessionStore(file, context)
  return { ...store, [Symbol.dispose]: () => store.close() }
}

describe('the context of a session', () => {
  it.each(OTHERS)(
    '55 a session of %s is nobody here, nor does its account hold an address',
    (_row, other) => {
      expect(sign(other, 'theirs', 'uid-theirs')).toBe('inserted')
      expect(sign(OWN, 'ours', 'uid-ours')).toBe('inserted')
      using own = open(OWN)
      expect(own.readAll()).toMatchObject([{ id: 'ours' }])
      using operator = open(null)
      expect(operator.readAll()).toHaveLength(2)
      expect(operator.revoke({ everybody: true }, 1)).toHaveLength(2)
    },
  )

  it('48 still binds an address to its account within one', () => {
    expect(sign(OWN, 'first', 'uid-first')).toBe('inserted')
    expect(sign(OWN, 'second', 'uid-second')).toBe('account_changed')
  })

  it('of a store made before there was any: sessions end, bound accounts go to the first gate', () => {
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
    open(null)[Symbol.dispose]() // an operator's command comes first, and takes nothing
    expect(sign(OWN, 'new', 'uid-new')).toBe('account_changed')
    expect(sign(OWN, 'spent', 'uid-old')).toBe('replayed')
    expect(sign(OWN, 'old', 'uid-old')).toBe('inserted')
    using own = open(OWN)
    expect(own.readAll()).toMatchObject([{ id: 'old' }])
  })
})
