import type { DatabaseSync } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { SECTIONS_PER_PAGE, TEXT_COLUMNS } from '../format/schema.ts'
import { normaliseForDisplay } from '../text/normalise.ts'
import type { IndexPage } from './page.ts'
import { type PageAnalysis, pageNames } from './page-analysis.ts'
import { prepareWrite } from './prepare-write.ts'

/** Adds pages to and removes pages from the index being built. */
export interface PageWriter {
  add(page: IndexPage, hash: string, analysis: PageAnalysis): void
  /** Removes a page and returns what it had counted into the lexicon. */
  remove(key: string): Pick<PageAnalysis, 'words' | 'glosses'>
}

/** Prepares the statements once for a build. */
export function createPageWriter(database: DatabaseSync): PageWriter {
  const marks = TEXT_COLUMNS.map(() => '?').join(', ')
  const insertPage = prepareWrite(database, 'INSERT INTO page VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertSection = prepareWrite(database, 'INSERT INTO section VALUES (?, ?, ?, ?, ?)')
  const insertText = prepareWrite(
    database,
    `INSERT INTO page_text (rowid, ${TEXT_COLUMNS.join(', ')}) VALUES (?, ${marks})`,
  )
  const insertWords = prepareWrite(database, 'INSERT OR REPLACE INTO cached.analysis VALUES (?, ?)')
  const readWords = database.prepare('SELECT content FROM cached.analysis WHERE key = ?')
  const deletePage = prepareWrite(database, 'DELETE FROM page WHERE id = ?')
  const deleteSections = prepareWrite(database, 'DELETE FROM section WHERE id >= ? AND id < ?')
  const deleteText = prepareWrite(database, 'DELETE FROM page_text WHERE rowid = ?')
  const findPage = database.prepare('SELECT id FROM page WHERE key = ?')

  return {
    add(page, hash, analysis) {
      const id = Number(insertPage.run(page.id, hash, ...pageRow(page)).lastInsertRowid)
      page.sections.slice(0, SECTIONS_PER_PAGE).forEach((section, at) => {
        const [heading, text] = [section.heading, section.text].map(normaliseForDisplay)
        insertSection.run(
          id * SECTIONS_PER_PAGE + at,
          heading ?? '',
          section.level,
          section.anchor,
          text ?? '',
        )
      })
      insertText.run(id, ...analysis.columns)
      insertWords.run(page.id, pack(analysis))
    },
    remove(key) {
      const id = findPage.get(key)?.id
      if (typeof id !== 'number') return { words: [], glosses: [] }
      deletePage.run(id)
      deleteSections.run(id * SECTIONS_PER_PAGE, (id + 1) * SECTIONS_PER_PAGE)
      deleteText.run(id)
      return unpack(readWords.get(key)?.content)
    },
  }
}

function pageRow(page: IndexPage): [string, string, string, string, string, string, string] {
  const headings = page.sections.map((section) => section.heading).filter((heading) => heading !== '')
  return [
    page.url,
    normaliseForDisplay(page.title),
    page.kind,
    JSON.stringify(page.breadcrumbs),
    normaliseForDisplay(page.description ?? ''),
    pageNames(page),
    normaliseForDisplay(headings.join('\n')),
  ]
}

function pack({ words, glosses }: PageAnalysis): Uint8Array {
  return deflateRawSync(JSON.stringify({ words, glosses }), { level: 1 })
}

function unpack(content: unknown): Pick<PageAnalysis, 'words' | 'glosses'> {
  if (!(content instanceof Uint8Array))
    throw new Error('The search cache lost a page; delete the cache folder')
  return JSON.parse(inflateRawSync(content).toString())
}
