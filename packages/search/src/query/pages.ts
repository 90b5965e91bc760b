import type { DatabaseSync } from 'node:sqlite'
import { SECTIONS_PER_PAGE } from '../format/schema.ts'

/** A page's record in the index. */
export interface PageRecord {
  readonly id: number
  readonly key: string
  readonly url: string
  readonly title: string
  readonly kind: string
  readonly breadcrumbs: readonly string[]
  readonly description: string
  readonly names: string
  readonly headings: readonly string[]
}

/** A section's record in the index. */
export interface SectionRecord {
  readonly heading: string
  readonly level: number
  readonly anchor: string
  readonly text: string
}

/** Reads pages and their sections. */
export interface Pages {
  read(ids: readonly number[]): PageRecord[]
  sections(page: number): SectionRecord[]
}

/** No page is read further than this; what follows is found by the store and has no snippet. */
const MAX_CHARACTERS = 40_000

/** Prepares the reads on an open index. */
export function createPages(database: DatabaseSync): Pages {
  const pages = database.prepare('SELECT * FROM page WHERE id IN (SELECT value FROM json_each(?))')
  const sections = database.prepare(
    `SELECT heading, level, anchor, text FROM section WHERE id >= ? AND id < ? ORDER BY id`,
  )
  return {
    read: (ids) => pages.all(JSON.stringify(ids)).map(readPage),
    sections(page) {
      const read: SectionRecord[] = []
      let characters = 0
      for (const row of sections.iterate(page * SECTIONS_PER_PAGE, (page + 1) * SECTIONS_PER_PAGE)) {
        const section = readSection(row)
        read.push(section)
        characters += section.text.length
        if (characters > MAX_CHARACTERS) break
      }
      return read
    },
  }
}

function readPage(row: Record<string, unknown>): PageRecord {
  return {
    id: Number(row.id),
    key: String(row.key),
    url: String(row.url),
    title: String(row.title),
    kind: String(row.kind),
    breadcrumbs: JSON.parse(String(row.breadcrumbs)),
    description: String(row.description),
    names: String(row.names),
    headings: String(row.headings).split('\n'),
  }
}

function readSection(row: Record<string, unknown>): SectionRecord {
  return {
    heading: String(row.heading),
    level: Number(row.level),
    anchor: String(row.anchor),
    text: String(row.text),
  }
}
