import { copyFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FORMAT_VERSION, SCHEMA } from '../../format/schema.ts'
import { subjectsDigest } from '../words/everyday-words.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { writeOwnSynonyms } from './synonyms.ts'

/** Raised when the analysis itself changes, or how pages are told apart, so that no page is taken from an older one. */
const ANALYSIS_VERSION = 17

const CACHE_KIB = 128 * 1024
/** Postings that FTS5 holds before it writes a segment: merging segments leaves free pages, and more memory is a build's peak. */
const HASH_BYTES = 16 << 20
const FILES = { index: 'index.db', words: 'words.db' }

/**
 * Opens the index that builds work on, kept in `cacheDir`. `cached.analysis` holds each page's words, to withdraw its share of the lexicon
 * after changes; `cached.phrase` analyses. Another vocabulary discards the cache.
 */
export function openWorkFile(cacheDir: string, vocabulary: Vocabulary, outFile: string): DatabaseSync {
  mkdirSync(cacheDir, { recursive: true })
  const file = join(cacheDir, FILES.index)
  const words = join(cacheDir, FILES.words)
  const stamp = `${FORMAT_VERSION}.${ANALYSIS_VERSION} ${subjectsDigest()} ${JSON.stringify(vocabulary)}`
  detach(file, outFile)
  const existing = openExisting(file, words, stamp)
  if (existing !== null) return existing
  for (const path of [file, words])
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  const database = attach(file, words)
  database.exec(SCHEMA)
  for (const table of ['page_text', 'page_heads'])
    database.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('hashsize', ${HASH_BYTES})`)
  database.exec('CREATE TABLE cached.analysis (key TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID')
  database.exec('CREATE TABLE cached.phrase (phrase TEXT PRIMARY KEY, words TEXT NOT NULL) WITHOUT ROWID')
  database.exec(
    'CREATE TABLE cached.stamp (value TEXT NOT NULL); CREATE TABLE cached.subjects (stamp TEXT NOT NULL)',
  )
  database.prepare('INSERT INTO cached.stamp VALUES (?)').run(stamp)
  writeOwnSynonyms(database, vocabulary.synonyms)
  return database
}

/** Path of the index inside `cacheDir`. */
export function workFilePath(cacheDir: string): string {
  return join(cacheDir, FILES.index)
}

/**
 * Removes the published name from the work file before it changes. Other links to the file keep it as it is, and the work continues in a
 * copy.
 */
function detach(file: string, outFile: string): void {
  const work = statSync(file, { throwIfNoEntry: false })
  if (work === undefined || work.nlink === 1) return
  if (statSync(outFile, { throwIfNoEntry: false })?.ino === work.ino) rmSync(outFile)
  if (statSync(file).nlink === 1) return
  copyFileSync(file, `${file}.tmp`)
  renameSync(`${file}.tmp`, file)
}

function openExisting(file: string, words: string, stamp: string): DatabaseSync | null {
  let database: DatabaseSync | undefined
  try {
    database = attach(file, words)
    if (database.prepare('SELECT value FROM cached.stamp').get()?.value === stamp) {
      database.prepare('SELECT count(*) FROM page').get()
      return database
    }
  } catch {
    // A cache that cannot be read is a cache that is made again.
  }
  database?.close()
  return null
}

function attach(file: string, words: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY`)
  database.prepare('ATTACH ? AS cached').run(words)
  database.exec(`PRAGMA cached.cache_size = -${CACHE_KIB / 2}`)
  return database
}
