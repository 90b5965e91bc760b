import type { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { createRecent } from './recent.ts'

/** What of a page is looked at to rank it before its text is read. */
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

/** A section's record in the index. */
export interface SectionRecord {
  readonly heading: string
  readonly level: number
  readonly anchor: string
  readonly text: string
}

/** Reads pages and their sections. */
export interface Pages {
  heads(ids: readonly number[]): PageHead[]
  sections(page: number): readonly SectionRecord[]
  /** Of pages at even distances. */
  titles(count: number): string[]
}

type Outline = readonly (readonly [heading: string, level: number, anchor: string, length: number])[]

/** Whoever types asks for much the same pages at every key. Each head weighs one, a text its characters: about 10 MB. */
const KEPT = { heads: 1_000, characters: 1_000_000 }

/** Prepares the reads on an open index. */
export function createPages(database: DatabaseSync): Pages {
  const head = database.prepare(
    'SELECT id, key, url, title, names, headings, kind, tags, breadcrumbs, version, date FROM page WHERE id = ?',
  )
  const content = database.prepare('SELECT outline, text FROM content WHERE id = ?')
  const titles = database.prepare(
    'SELECT title FROM page WHERE id % max(1, (SELECT count(*) FROM page) / ?) = 0 ORDER BY id LIMIT ?',
  )
  const keptHeads = createRecent<PageHead>(KEPT.heads)
  const keptSections = createRecent<readonly SectionRecord[]>(KEPT.characters)
  return {
    heads: (ids) =>
      ids.map((id) => {
        const kept = keptHeads.get(id)
        if (kept !== undefined) return kept
        const read = readHead(head.get(id) ?? {})
        keptHeads.set(id, read, 1)
        return read
      }),
    titles: (count) => titles.all(count, count).map((row) => String(row.title)),
    sections(page) {
      const kept = keptSections.get(page)
      if (kept !== undefined) return kept
      const row = content.get(page) ?? {}
      const text = readText(row.text)
      const sections = cutSections(text, JSON.parse(String(row.outline)))
      keptSections.set(page, sections, text.length)
      return sections
    },
  }
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

function readText(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) return ''
  return zstdDecompressSync(bytes).toString()
}

/** The sections as far as text is kept. */
function cutSections(text: string, outline: Outline): SectionRecord[] {
  const sections: SectionRecord[] = []
  let start = 0
  for (const [heading, level, anchor, length] of outline) {
    if (start >= text.length && length > 0) break
    sections.push({ heading, level, anchor, text: text.slice(start, start + length) })
    start += length
  }
  return sections
}
