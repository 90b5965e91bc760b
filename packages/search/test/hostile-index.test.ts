import { hash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildIndex } from '../src/indexer/index.ts'
import { IndexMismatchError, inspectIndex, openIndex } from '../src/query/index.ts'
import { FIXTURE_PAGES } from './fixture-pages.ts'

const ENDLESS =
  "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k AS key, '' AS value FROM n"

let folder: string
let good: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-hostile-index-'))
  good = join(folder, 'search.db')
  await buildIndex({ pages: FIXTURE_PAGES, outFile: good, cacheDir: join(folder, 'cache') })
})

/** A copy of a good index, changed through SQLite with every protection off. */
function changed(change: (database: DatabaseSync) => void): string {
  const file = join(folder, 'changed.db')
  copyFileSync(good, file)
  const database = new DatabaseSync(file, { defensive: false })
  database.exec('PRAGMA writable_schema = 1; PRAGMA synchronous = OFF; BEGIN')
  change(database)
  database.exec('COMMIT')
  database.close()
  return file
}

const inspect = (file: string) => inspectIndex(file, { sha256: hash('sha256', readFileSync(file)) })
const refusal = (run: () => unknown) => {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof IndexMismatchError) return error.message
    throw error
  }
}

it('a good index passes', () => {
  expect(refusal(() => inspect(good))).toBeNull()
  openIndex(good).close()
})

describe('an index with other tables is not opened, so that no row of it is asked for', () => {
  it.each([
    ['a view without end for meta', `DROP TABLE meta; CREATE VIEW meta AS ${ENDLESS}`],
    ['a view for the pages', 'ALTER TABLE page RENAME TO p; CREATE VIEW page AS SELECT * FROM p'],
    ['a view for the texts', 'ALTER TABLE content RENAME TO c; CREATE VIEW content AS SELECT * FROM c'],
    ['a view beside the tables', `CREATE VIEW other AS ${ENDLESS}`],
    ['a trigger', 'CREATE TRIGGER t AFTER DELETE ON page BEGIN DELETE FROM content; END'],
    [
      'a generated column',
      'ALTER TABLE page ADD COLUMN g GENERATED ALWAYS AS (hex(randomblob(999999999))) VIRTUAL',
    ],
    ['a column more', 'ALTER TABLE phrase ADD COLUMN more TEXT'],
    ['an index over an expression', 'CREATE INDEX e ON page (hex(zeroblob(10)))'],
    ['an index less', 'DROP INDEX gloss_japanese'],
    ['a table less', 'DROP TABLE everyday'],
    ['another full-text table', "CREATE VIRTUAL TABLE v USING fts5(a, content='page')"],
    ['a vocabulary table', "CREATE VIRTUAL TABLE v USING fts5vocab(page_text, 'instance')"],
    ['a tree', 'CREATE VIRTUAL TABLE v USING rtree(id, a, b)'],
    [
      'a full-text table with contents elsewhere',
      "UPDATE sqlite_schema SET sql = replace(sql, 'content=''''', 'content=''page''') WHERE name = 'page_text'",
    ],
    [
      'a view for a shadow table',
      "DROP TABLE page_text_data; CREATE VIEW page_text_data AS SELECT 1 AS id, x'00' AS block",
    ],
    [
      'another collation',
      "UPDATE sqlite_schema SET sql = replace(sql, 'key TEXT PRIMARY KEY', 'key TEXT COLLATE NOCASE PRIMARY KEY') WHERE name = 'meta'",
    ],
    [
      'vectors in a view',
      'CREATE VIEW vector AS SELECT 1 AS id, 8 AS dimensions, zeroblob(1000000000) AS signs',
    ],
  ])('%s', (_what, sql) => {
    const file = changed((database) => database.exec(sql))
    expect(refusal(() => openIndex(file))).toMatch(/other tables|not a search index/)
    expect(refusal(() => inspect(file))).toMatch(/other tables|not a search index/)
  })
})

describe('an index that a search could not finish, or that fills a memory, is not received', () => {
  it('two tables in the same pages of the file', () => {
    const file = changed((database) =>
      database.exec(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'phrase') WHERE name = 'spelling'",
      ),
    )
    expect(refusal(() => inspect(file))).toMatch('damaged')
  })

  it('inner nodes whose branches all lead to the same node', () => {
    const file = changed((database) => {
      const insert = database.prepare('INSERT INTO content VALUES (?, ?, ?)')
      for (let id = 10_000; id < 14_000; id += 1) insert.run(id, '[]', gzipSync('x'.repeat(200)))
    })
    const bytes = readFileSync(file)
    const pageBytes = bytes.readUInt16BE(16)
    for (let at = pageBytes; at < bytes.length; at += pageBytes) {
      if (bytes[at] !== 5) continue // an inner node of a table
      const right = bytes.readUInt32BE(at + 8)
      for (let cell = 0; cell < bytes.readUInt16BE(at + 3); cell += 1)
        bytes.writeUInt32BE(right, at + bytes.readUInt16BE(at + 12 + 2 * cell))
    }
    writeFileSync(file, bytes)
    expect(refusal(() => inspect(file))).toMatch('damaged')
  })

  it('postings of another tree', () => {
    const file = changed((database) =>
      database.exec("UPDATE page_text_data SET block = x'00ff' WHERE id > 10"),
    )
    expect(refusal(() => inspect(file))).toMatch('damaged')
  })

  it.each<[string, number, Uint8Array]>([
    ['one page longer than a page', 1, gzipSync(Buffer.alloc(120_001, 'a'))],
    ['a page of 64 MB', 1, gzipSync(Buffer.alloc(1 << 26, 'a'))],
    ['many pages, each as long as it may be', 500, gzipSync(Buffer.alloc(120_000, 'a'))],
    ['no compressed text', 1, Buffer.from('text')],
  ])('%s', (_what, count, text) => {
    const file = changed((database) => {
      const insert = database.prepare('INSERT INTO content VALUES (?, ?, ?)')
      for (let at = 0; at < count; at += 1) insert.run(10_000 + at, '[]', text)
    })
    expect(refusal(() => inspect(file))).toMatch('too long')
  })

  it('a search unpacks no text that is longer than a page', () => {
    const bomb = gzipSync(Buffer.alloc(1 << 24, 'a'))
    const file = changed((database) => database.prepare('UPDATE content SET text = ?').run(bomb))
    const engine = openIndex(file)
    expect(() => engine.search({ q: '環境変数' })).toThrow(/larger than/)
    engine.close()
  })
})
