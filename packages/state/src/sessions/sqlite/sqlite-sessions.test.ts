import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { describeSessionStore } from '../../testing/session-store/index.ts'
import { openSqliteSessions } from './sqlite-sessions.ts'

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

it('refuses a database that is none of ours, and one of a version that was never released', () => {
  using temporary = temporaryFile()
  const db = new DatabaseSync(temporary.file)
  db.exec('CREATE TABLE accounts (email TEXT PRIMARY KEY, sub TEXT NOT NULL); PRAGMA user_version = 3')
  db.close()
  expect(() => openSqliteSessions(temporary.file, { context: null })).toThrow(/accounts already exists/)
})
