import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { readSections, type SectionRecord } from '../../format/content.ts'

/** Fields of a page used to rank it before its text is read. */
export interface PageHead {
  readonly id: number
  readonly key: string
  readonly title: string
  readonly names: string
  readonly url: string
  /** One a line. */
  readonly headings: string
  readonly kind: string
  readonly tags: readonly string[]
  readonly breadcrumbs: readonly string[]
  readonly version: string
  readonly date: string
}

/** Reads pages and their sections. */
export interface Pages {
  heads(ids: readonly number[]): PageHead[]
  /** The sections of each page, in the order of the pages. */
  sections(ids: readonly number[]): SectionRecord[][]
  /** Of pages at even distances. */
  titles(count: number): string[]
}

/** Many rows at once take half the time of as many reads. */
const OF_LIST = '(SELECT value FROM json_each(?))'

/** Prepares the reads on an open index. */
export function createPages(database: DatabaseSync): Pages {
  const head = database.prepare(
    'SELECT id, key, url, title, names, headings, kind, tags, breadcrumbs, version, date FROM page ' +
      `WHERE id IN ${OF_LIST}`,
  )
  const content = database.prepare(`SELECT id, outline, text FROM content WHERE id IN ${OF_LIST}`)
  const titles = database.prepare(
    'SELECT title FROM page WHERE id % max(1, (SELECT count(*) FROM page) / ?) = 0 ORDER BY id LIMIT ?',
  )
  return {
    heads: (ids) => readAll(head, ids).map(readHead),
    titles: (count) => titles.all(count, count).map((row) => String(row.title)),
    sections: (ids) => readSections(readAll(content, ids)),
  }
}

/** The rows with these ids, in their order. */
function readAll(statement: StatementSync, ids: readonly number[]): Record<string, unknown>[] {
  const rows = new Map(statement.all(JSON.stringify(ids)).map((row) => [Number(row.id), row]))
  return ids.map((id) => rows.get(id) ?? {})
}

function readHead(row: Record<string, unknown>): PageHead {
  return {
    id: Number(row.id),
    key: String(row.key),
    url: String(row.url),
    title: String(row.title),
    names: String(row.names),
    headings: String(row.headings),
    kind: String(row.kind),
    tags: row.tags === '' ? [] : String(row.tags).split('\n'),
    breadcrumbs: JSON.parse(String(row.breadcrumbs)),
    version: String(row.version),
    date: String(row.date),
  }
}
