import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { describeSessionStore } from '../../testing/contracts/session-store/index.ts'
import { openSqliteSessions } from './sqlite-sessions.ts'

function temporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-store-'))
  return { file: join(folder, 'sessions.db'), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** As the next version leaves it: a gate of this one may be restarted on that, and then each table has columns of which it knows nothing. */
describeSessionStore('SQLite', async () => {
  const { file, [Symbol.dispose]: remove } = temporaryFile()
  await openSqliteSessions(file, { context: null }).close()
  const db = new DatabaseSync(file)
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const widened = tables.map(({ name }) => `ALTER TABLE ${name} ADD COLUMN of_next TEXT NOT NULL DEFAULT '';`)
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  db.exec(
    `${widened.join('')} INSERT INTO readers (oldest) VALUES (${version}); PRAGMA user_version = ${version + 1}`,
  )
  db.close()
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
