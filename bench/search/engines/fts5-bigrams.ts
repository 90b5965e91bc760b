import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LIMIT, type SearchEngineSubject } from '../engine.ts'

/** Title, headings, text: weighed as ours are. */
const WEIGHTS = '10, 4, 1'
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{N}_]+/gu
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** SQLite's own full text over pairs of characters, the best of the stock engines: all pairs of a query, or else any. */
export const fts5Bigrams: SearchEngineSubject = {
  name: 'SQLite FTS5, bigrams',
  async build(pages, folder) {
    const database = new DatabaseSync(join(folder, 'search.db'))
    database.exec(`
      PRAGMA synchronous = OFF;
      CREATE TABLE page (id INTEGER PRIMARY KEY, key TEXT NOT NULL);
      CREATE VIRTUAL TABLE text USING fts5(title, headings, body, content = '', tokenize = 'ascii');
      BEGIN`)
    const insertPage = database.prepare('INSERT INTO page VALUES (?, ?)')
    const insertText = database.prepare('INSERT INTO text (rowid, title, headings, body) VALUES (?, ?, ?, ?)')
    for (const [id, { id: key, title, sections }] of pages.entries()) {
      insertPage.run(id, key)
      const headings = sections.map(({ heading }) => heading).join('\n')
      const body = sections.map(({ text }) => text).join('\n')
      insertText.run(id, ...[title, headings, body].map((text) => tokens(text).join(' ')))
    }
    database.exec('COMMIT')
    database.close()
  },
  async open(folder) {
    const database = new DatabaseSync(join(folder, 'search.db'), { readOnly: true })
    const find = database.prepare(`
      SELECT key FROM text JOIN page ON page.id = text.rowid WHERE text MATCH ?
      ORDER BY bm25(text, ${WEIGHTS}) LIMIT ${LIMIT}`)
    return (q) => {
      const words = tokens(q).map((token) => `"${token}"`)
      if (words.length === 0) return []
      const all = find.all(words.join(' AND '))
      return (all.length > 0 ? all : find.all(words.join(' OR '))).map(({ key }) => String(key))
    }
  },
}

function tokens(text: string): string[] {
  const runs = text.normalize('NFKC').toLowerCase().match(RUN) ?? []
  return runs.flatMap((run) => {
    const characters = Array.from(run)
    if (!CJK.test(run) || characters.length < 2) return [run]
    return characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ''))
  })
}
