import type { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { HEAD_COLUMNS, MAX_CHARACTERS, TEXT_COLUMNS } from '../../format/schema.ts'
import { normaliseForDisplay } from '../../text/normalise.ts'
import { type AnalysedBatch, type PageShare, unpackShare } from '../analysis/analyse-batch.ts'
import type { IndexPage } from '../analysis/page.ts'
import { pageNames } from '../analysis/page-analysis.ts'
import type { PostingChanges } from './posting-changes.ts'
import { prepareWrite } from './prepare-write.ts'

/** Adds pages to and removes pages from the index being built. */
interface PageWriter {
  /** Returns the number that the page has now. */
  add(page: IndexPage, hash: string, analysed: AnalysedBatch['pages'][number]): number
  /** Removes a page and returns what it had counted into the lexicon. */
  remove(key: string): PageShare
}

/** Prepares the statements once for a build. */
export function createPageWriter(database: DatabaseSync, postings: PostingChanges): PageWriter {
  const marks = TEXT_COLUMNS.map(() => '?').join(', ')
  const insertPage = prepareWrite(
    database,
    'INSERT INTO page VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertContent = prepareWrite(database, 'INSERT INTO content VALUES (?, ?, ?)')
  const inserting = (table: string) =>
    prepareWrite(database, `INSERT INTO ${table} (rowid, ${TEXT_COLUMNS.join(', ')}) VALUES (?, ${marks})`)
  const [insertText, insertHeads] = [inserting('page_text'), inserting('page_heads')]
  const insertWords = prepareWrite(database, 'INSERT OR REPLACE INTO cached.analysis VALUES (?, ?)')
  const readWords = database.prepare('SELECT content FROM cached.analysis WHERE key = ?')
  const deletes = ['page', 'content', 'page_text', 'page_heads'].map((table) =>
    prepareWrite(database, `DELETE FROM ${table} WHERE rowid = ?`),
  )
  const findPage = database.prepare('SELECT id FROM page WHERE key = ?')

  return {
    add(page, hash, { columns, share }) {
      const id = Number(insertPage.run(page.id, hash, ...pageRow(page)).lastInsertRowid)
      insertContent.run(id, ...contentRow(page))
      insertText.run(id, ...columns)
      insertHeads.run(id, ...columns.map((text, at) => (isHead(at) ? text : '')))
      insertWords.run(page.id, share)
      return id
    },
    remove(key) {
      const id = findPage.get(key)?.id
      if (typeof id !== 'number') return { words: [], glosses: [], terms: { terms: [], impacts: [] } }
      for (const remove of deletes) remove.run(id)
      const share = unpackShare(readWords.get(key)?.content)
      postings.remove(id, share.terms)
      return share
    },
  }
}

function pageRow(page: IndexPage): string[] {
  const headings = page.sections.map((section) => section.heading).filter((heading) => heading !== '')
  return [
    page.url,
    normaliseForDisplay(page.title),
    page.kind,
    JSON.stringify(page.breadcrumbs),
    normaliseForDisplay(page.description ?? ''),
    pageNames(page),
    normaliseForDisplay(headings.join('\n')),
    (page.tags ?? []).join('\n'),
    page.version ?? '',
    page.date ?? '',
  ]
}

const isHead = (column: number): boolean => HEAD_COLUMNS.has(TEXT_COLUMNS[column] ?? '')

function contentRow({ sections }: IndexPage): [outline: string, text: Uint8Array] {
  const texts = sections.map((section) => normaliseForDisplay(section.text))
  const outline = sections.map(({ heading, level, anchor }, at) => [
    normaliseForDisplay(heading),
    level,
    anchor,
    texts[at]?.length,
  ])
  return [JSON.stringify(outline), gzipSync(texts.join('').slice(0, MAX_CHARACTERS))]
}
