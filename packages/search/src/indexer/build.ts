import { hash } from 'node:crypto'
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { FORMAT_VERSION, LEXICON_INDEXES } from '../format/schema.ts'
import { analysePages } from './analysis/analyse.ts'
import type { IndexPage } from './analysis/page.ts'
import type { PhraseMemory } from './analysis/phrase-words.ts'
import { readVocabulary, type Vocabulary } from './words/vocabulary.ts'
import { writeEverydayPhrases } from './writing/everyday-phrases.ts'
import { LexiconChanges } from './writing/lexicon-changes.ts'
import { type Embedding, type NotEmbedded, writePageVectors } from './writing/page-vectors.ts'
import { createPageWriter } from './writing/page-writer.ts'
import { PostingChanges } from './writing/posting-changes.ts'
import { prepareWrite } from './writing/prepare-write.ts'
import { openWorkFile, workFilePath } from './writing/work-file.ts'

/** Input and output of an index build, and the cache for the next one. */
export interface BuildOptions {
  /** Each is let go as soon as it is read: a large site needs not be in memory. */
  readonly pages: Iterable<IndexPage> | AsyncIterable<IndexPage>
  readonly outFile: string
  readonly cacheDir: string
  /** The team's own words; see `readVocabulary` for what it may hold. */
  readonly vocabulary?: Vocabulary
  /** The key of the endpoint that the vocabulary names for embeddings, if it wants one. */
  readonly embeddingsKey?: string | undefined
}

/** Result of a build. */
export interface IndexReport {
  readonly pages: number
  readonly added: number
  readonly removed: number
  readonly unchanged: number
  readonly bytes: number
  readonly tookMs: number
  /** Null where every page has its vectors, or none is to have any. */
  readonly notEmbedded: NotEmbedded | null
}

/** Share of changed pages from which the full-text table is worth merging into one segment. */
const MERGE_SHARE = 0.2

/** Brings the index up to date with the pages and writes it to `outFile`; unchanged pages are not read again. */
export async function buildIndex(options: BuildOptions): Promise<IndexReport> {
  const startedAt = performance.now()
  const { pages, outFile, cacheDir } = options
  const { embeddings: source = null, ...vocabulary } = readVocabulary(options.vocabulary)
  const embedding = source === null ? null : { source, key: options.embeddingsKey, cacheDir }
  const database = openWorkFile(cacheDir, vocabulary, outFile)
  let change: Awaited<ReturnType<typeof update>>
  try {
    change = await update(database, pages, { vocabulary, embedding })
  } finally {
    database.close()
  }
  publish(workFilePath(cacheDir), outFile)
  return {
    ...change,
    unchanged: change.pages - change.added,
    bytes: statSync(outFile).size,
    tookMs: performance.now() - startedAt,
  }
}

/** A page that is new or changed, and what tells it from its earlier self. */
interface Change {
  readonly page: IndexPage
  readonly revision: string
}

/** Compares pages with what is in the index, as they come; notes their ids, and throws when one comes twice. */
async function* findChanges(
  pages: BuildOptions['pages'],
  present: ReadonlyMap<string, string>,
  seen: Set<string>,
): AsyncGenerator<Change> {
  const findChange = (page: IndexPage): Change | null => {
    if (seen.has(page.id)) throw new Error(`Two pages have the id ${page.id}; ids must be unique`)
    seen.add(page.id)
    const revision = hashPage(page)
    return present.get(page.id) === revision ? null : { page, revision }
  }
  // To wait for what is there already costs a large site a tenth of an edit.
  if (Symbol.iterator in pages) yield* Iterator.from(pages).map(findChange).filter(isChange)
  else
    for await (const page of pages) {
      const change = findChange(page)
      if (change !== null) yield change
    }
}

const isChange = (change: Change | null): change is Change => change !== null

/** The revisions of the pages in the index. A row for each would be an object for each. */
function readRevisions(database: DatabaseSync): Map<string, string> {
  const row = database
    .prepare('SELECT json_group_array(key) AS keys, json_group_array(hash) AS hashes FROM page')
    .get()
  const [keys, hashes]: readonly string[][] = [row?.keys, row?.hashes].map((list) => JSON.parse(String(list)))
  return new Map(keys?.map((key, at) => [key, hashes?.[at] ?? '']))
}

async function update(
  database: DatabaseSync,
  pages: BuildOptions['pages'],
  { vocabulary, embedding }: { readonly vocabulary: Vocabulary; readonly embedding: Embedding | null },
): Promise<Pick<IndexReport, 'pages' | 'added' | 'removed' | 'notEmbedded'>> {
  const present = readRevisions(database)
  const seen = new Set<string>()
  const lexicon = new LexiconChanges(database)
  let [added, removed] = [0, 0]
  let notEmbedded: NotEmbedded | null
  database.exec('BEGIN IMMEDIATE')
  try {
    const postings = new PostingChanges(database)
    const writer = createPageWriter(database, postings)
    const remove = (key: string): void => {
      lexicon.remove(writer.remove(key))
      removed += 1
    }
    const reading = { words: vocabulary.words, memory: openPhraseMemory(database) }
    await analysePages(
      findChanges(pages, present, seen),
      reading,
      (changes, { pages: analysed, ...batch }) => {
        const ids = analysed.flatMap((one, at) => {
          const change = changes[at]
          if (change === undefined) return []
          if (present.has(change.page.id)) remove(change.page.id)
          return writer.add(change.page, change.revision, one)
        })
        lexicon.add(batch)
        postings.add(ids, batch.terms)
        added += ids.length
      },
    )
    for (const key of present.keys()) if (!seen.has(key)) remove(key)
    lexicon.write()
    postings.write()
    database.exec(LEXICON_INDEXES)
    writeEverydayPhrases(database)
    notEmbedded = await writePageVectors(database, embedding)
    if (added > seen.size * MERGE_SHARE)
      for (const table of ['page_text', 'page_heads'])
        database.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`)
    writeMeta(database, seen.size)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
  return { pages: seen.size, added, removed, notEmbedded }
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

/** Of one UTF-16 unit. */
const MAX_UTF8_BYTES = 3

let scratch = Buffer.alloc(1 << 20)

/**
 * Hash of a page, the largest cost of an edit on large sites: texts are written once, in the fewest bytes, and hashed in one call. Lengths
 * come first, so that distinct pages have distinct bytes.
 */
function hashPage({ sections, ...rest }: IndexPage): string {
  let [outline, characters] = [`${JSON.stringify(rest)}${sections.length}`, 0]
  for (const { heading, level, anchor, text } of sections) {
    outline += `\n${level} ${heading.length} ${anchor.length} ${text.length} ${heading}${anchor}`
    characters += text.length
  }
  const bytes = MAX_UTF8_BYTES * (characters + outline.length)
  if (bytes > scratch.byteLength) scratch = Buffer.alloc(bytes)
  let end = scratch.write(outline, 'utf8')
  for (const { text } of sections) end += scratch.write(text, end, 'utf8')
  return hash('sha256', scratch.subarray(0, end), 'base64url')
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

/** The memory of earlier builds, which also takes what was read elsewhere. */
interface KeptPhrases extends PhraseMemory {
  /** Adds a phrase with its words as JSON. */
  add(phrase: string, words: string): void
}

/**
 * The phrases of earlier builds, in the cache. Most edits bring none that the site did not have, and then the dictionary
 * is not needed, which takes longer to load than everything else about an edit.
 */
function openPhraseMemory(database: DatabaseSync): KeptPhrases {
  const find = database.prepare('SELECT words FROM cached.phrase WHERE phrase = ?')
  const insert = prepareWrite(database, 'INSERT OR IGNORE INTO cached.phrase VALUES (?, ?)')
  const add = (phrase: string, words: string) => void insert.run(phrase, words)
  return {
    add,
    get(phrase) {
      const words = find.get(phrase)?.words
      return typeof words === 'string' ? JSON.parse(words) : undefined
    },
    set(phrase, words) {
      add(phrase, JSON.stringify(words))
      return words
    },
  }
}
