import { createHash } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { FORMAT_VERSION } from '../format/schema.ts'
import { analysePages } from './analyse.ts'
import { LexiconChanges } from './lexicon-changes.ts'
import type { IndexPage } from './page.ts'
import { createPageWriter } from './page-writer.ts'
import { openPhraseMemory } from './phrase-memory.ts'
import { PostingChanges } from './posting-changes.ts'
import { prepareWrite } from './prepare-write.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'
import { openWorkFile, workFilePath } from './work-file.ts'

/** What to index, where to write it, and where to keep what the next build can use again. */
export interface BuildOptions {
  readonly pages: readonly IndexPage[]
  readonly outFile: string
  readonly cacheDir: string
  /** The team's own words; see `readVocabulary` for what it may hold. */
  readonly vocabulary?: Vocabulary
}

/** What a build did. */
export interface IndexReport {
  readonly pages: number
  readonly added: number
  readonly removed: number
  readonly unchanged: number
  readonly bytes: number
  readonly tookMs: number
}

/** Share of changed pages from which the full-text table is worth merging into one segment. */
const MERGE_SHARE = 0.2

/** Brings the index up to date with the pages and writes it to `outFile`; unchanged pages are not read again. */
export async function buildIndex(options: BuildOptions): Promise<IndexReport> {
  const startedAt = performance.now()
  const { pages, outFile, cacheDir } = options
  const vocabulary = readVocabulary(options.vocabulary)
  assertUniqueIds(pages)
  const database = await openWorkFile(cacheDir, vocabulary, outFile)
  let change: { added: number; removed: number }
  try {
    change = await update(database, pages, vocabulary)
  } finally {
    database.close()
  }
  publish(workFilePath(cacheDir), outFile)
  return {
    pages: pages.length,
    ...change,
    unchanged: pages.length - change.added,
    bytes: statSync(outFile).size,
    tookMs: performance.now() - startedAt,
  }
}

interface Changes {
  /** Keys of pages that are gone or changed. */
  readonly stale: readonly string[]
  /** Pages that are new or changed, and what tells them from their earlier selves. */
  readonly changed: ReadonlyMap<IndexPage, string>
}

/** Compares every page with what is in the index. */
function findChanges(database: DatabaseSync, pages: readonly IndexPage[]): Changes {
  const rows = database.prepare('SELECT key, hash FROM page').all()
  const present = new Map(rows.map((row) => [String(row.key), String(row.hash)]))
  const changed = new Map<IndexPage, string>()
  for (const page of pages) {
    const hash = hashPage(page)
    if (present.get(page.id) === hash) present.delete(page.id)
    else changed.set(page, hash)
  }
  return { stale: [...present.keys()], changed }
}

async function update(
  database: DatabaseSync,
  pages: readonly IndexPage[],
  vocabulary: Vocabulary,
): Promise<{ added: number; removed: number }> {
  const { stale, changed } = findChanges(database, pages)
  const lexicon = new LexiconChanges(database)
  database.exec('BEGIN IMMEDIATE')
  try {
    const postings = new PostingChanges(database)
    const writer = createPageWriter(database, postings)
    for (const key of stale) lexicon.count(writer.remove(key), -1)
    const reading = { words: vocabulary.words, memory: openPhraseMemory(database) }
    await analysePages([...changed.keys()], reading, (page, analysis) => {
      writer.add(page, changed.get(page) ?? '', analysis)
      lexicon.count(analysis, 1)
    })
    lexicon.write()
    postings.write()
    if (changed.size > pages.length * MERGE_SHARE)
      for (const table of ['page_text', 'page_heads'])
        database.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`)
    writeMeta(database, pages.length)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
  return { added: changed.size, removed: stale.length }
}

/** The dictionaries' licences ask to go where their data goes: into the index, which is in every release. */
const NOTICES = new URL('../../NOTICES.txt', import.meta.url)

function writeMeta(database: DatabaseSync, pages: number): void {
  const set = prepareWrite(database, 'INSERT OR REPLACE INTO meta VALUES (?, ?)')
  for (const [key, value] of [
    ['format', FORMAT_VERSION],
    ['complete', 1],
    ['pages', pages],
    ['notices', readFileSync(NOTICES, 'utf8')],
  ] as const) {
    set.run(key, String(value))
  }
}

/**
 * Every page is hashed in every build; of a large site the texts are all that takes time, so they are neither joined nor put
 * into UTF-8.
 */
function hashPage({ sections, ...rest }: IndexPage): string {
  const hash = createHash('sha256').update(JSON.stringify(rest))
  for (const { heading, level, anchor, text } of sections)
    hash.update(`\0${heading}\0${level}\0${anchor}\0${text.length}\0`).update(text, 'utf16le')
  return hash.digest('base64url')
}

/** Offers the work file under its public name too; a copy of it takes longer than everything else about an edit. */
function publish(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const temporary = `${to}.${process.pid}.tmp`
  try {
    linkSync(from, temporary)
  } catch {
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE) // another file system, or one without links
  }
  renameSync(temporary, to)
}

function assertUniqueIds(pages: readonly IndexPage[]): void {
  const seen = new Set<string>()
  for (const { id } of pages) {
    if (seen.has(id)) throw new Error(`Two pages have the id ${id}; ids must be unique`)
    seen.add(id)
  }
}
