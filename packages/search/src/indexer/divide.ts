import { copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { DividedIndex } from '@sekisho/contract/site-json'
import { blockOf, placeOf, updateBlock } from '../format/postings.ts'
import { prepareWrite } from './writing/prepare-write.ts'

/** The indexes of a site's editions, by the names of these. */
export type EditionIndexes = ReadonlyMap<string, string>

/** Pages that the same editions hold, each as it is in the others. */
interface Share {
  readonly editions: readonly string[]
  /** Keys of pages. */
  readonly pages: readonly string[]
}

/** Fewer pages than this share of the largest edition are cheaper to store twice than to search one by one. */
const MIN_SHARE = 0.02

/**
 * Divides editions' indexes into shared files: pages held by the same editions, and a file for each vocabulary. Each comes from an edition
 * that holds all of it, so no edition gets foreign content.
 * @returns the files of each edition; none where nothing is shared
 */
export function divideIndexes(indexes: EditionIndexes): ReadonlyMap<string, DividedIndex> {
  const shares = findShares(indexes)
  const parts = new Map<string, string[]>([...indexes.keys()].map((name) => [name, []]))
  const isDivided = (name: string) =>
    shares.some(({ editions }) => editions.length > 1 && editions.includes(name))
  for (const [at, share] of shares.entries()) {
    const last = share.editions.at(-1) ?? ''
    if (!isDivided(last)) continue
    const index = indexes.get(last) ?? ''
    const file = `${index}.part${at + 1}`
    writePart(index, file, new Set(share.pages))
    for (const name of share.editions) parts.get(name)?.push(file)
  }
  const divided = new Map<string, DividedIndex>()
  for (const [name, file] of indexes) {
    const own = parts.get(name) ?? []
    if (own.length > 0) divided.set(name, { words: writeWords(file, own.length), parts: own })
  }
  return divided
}

/** Pages shared by each set of editions, most pages first. */
function findShares(indexes: EditionIndexes): readonly Share[] {
  const names = [...indexes.keys()]
  const holders = new Map<string, string[]>()
  let largest = 0
  for (const [name, file] of indexes) {
    const rows = withDatabase(file, (database) => database.prepare('SELECT key, hash FROM page').all())
    largest = Math.max(largest, rows.length)
    for (const { key, hash } of rows) {
      const page = JSON.stringify([key, hash])
      holders.set(page, [...(holders.get(page) ?? []), name])
    }
  }
  const groups = Map.groupBy([...holders.keys()], (page) => JSON.stringify(holders.get(page)))
  const owned = new Map<string, string[]>(names.map((name) => [name, []]))
  const common: Share[] = []
  for (const pages of groups.values()) {
    const editions = holders.get(pages[0] ?? '') ?? []
    const keys = pages.map((page) => String(JSON.parse(page)[0]))
    if (editions.length > 1 && keys.length >= largest * MIN_SHARE) common.push({ editions, pages: keys })
    else for (const name of editions) owned.get(name)?.push(...keys)
  }
  const own = [...owned].map(([name, pages]) => ({ editions: [name], pages }))
  return [...common, ...own]
    .filter(({ pages }) => pages.length > 0)
    .sort((one, other) => other.pages.length - one.pages.length)
}

const WORDS = ['lexicon', 'spelling', 'gloss', 'synonym', 'everyday', 'phrase']
const TEXTS = ['page_text', 'page_heads']

/**
 * Writes a file with some pages of an index. The others leave nothing behind: the full-text tables are merged into one segment,
 * which drops what was deleted, and the file is written anew without its free space.
 */
function writePart(index: string, file: string, kept: ReadonlySet<string>): void {
  rewrite(index, file, (database) => {
    const others = database
      .prepare('SELECT id, key FROM page')
      .all()
      .filter(({ key }) => !kept.has(String(key)))
      .map(({ id }) => Number(id))
    for (const table of ['page', 'content', ...TEXTS, ...vectorsOf(database)]) {
      const remove = prepareWrite(database, `DELETE FROM ${table} WHERE rowid = ?`)
      for (const id of others) remove.run(id)
    }
    removePostings(database, others)
    for (const table of TEXTS) database.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`)
    for (const table of WORDS) database.exec(`DELETE FROM ${table}`)
    prepareWrite(database, "UPDATE meta SET value = ? WHERE key = 'pages'").run(String(kept.size))
  })
}

function removePostings(database: DatabaseSync, pages: readonly number[]): void {
  const removed = Map.groupBy(pages, blockOf)
  const rows = database.prepare('SELECT term, block, pages FROM posting').all()
  const write = prepareWrite(database, 'UPDATE posting SET pages = ? WHERE term = ? AND block = ?')
  const drop = prepareWrite(database, 'DELETE FROM posting WHERE term = ? AND block = ?')
  for (const { term, block, pages: stored } of rows) {
    const places = removed.get(Number(block))
    if (places === undefined) continue
    const left = updateBlock(stored, [], new Set(places.map(placeOf)))
    if (left === null) drop.run(String(term), Number(block))
    else write.run(left, String(term), Number(block))
  }
}

/** Writes of an index what queries are read by, and how many files hold its pages. */
function writeWords(index: string, parts: number): string {
  const words = `${index}.words`
  rewrite(index, words, (database) => {
    for (const table of TEXTS) database.exec(`INSERT INTO ${table}(${table}) VALUES ('delete-all')`)
    for (const table of ['page', 'content', 'posting', ...vectorsOf(database)])
      database.exec(`DELETE FROM ${table}`)
    prepareWrite(database, "INSERT OR REPLACE INTO meta VALUES ('parts', ?)").run(String(parts))
  })
  return words
}

/** The table of vectors, where the index has them. */
function vectorsOf(database: DatabaseSync): readonly string[] {
  const found = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vector'").get()
  return found === undefined ? [] : ['vector']
}

/** Writes a changed copy of an index: no link to the index, nor free space of the copy. */
function rewrite(from: string, to: string, change: (database: DatabaseSync) => void): void {
  const copy = `${to}.tmp`
  rmSync(to, { force: true }) // of a build before this one
  copyFileSync(from, copy)
  withDatabase(copy, (database) => {
    database.exec('PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; BEGIN')
    change(database)
    database.exec('COMMIT')
    database.prepare('VACUUM INTO ?').run(to)
  })
  rmSync(copy)
}

function withDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}
