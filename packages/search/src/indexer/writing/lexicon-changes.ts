import type { DatabaseSync } from 'node:sqlite'
import type { PageAnalysis } from '../analysis/page-analysis.ts'
import { addCounts, type CountedWords, countWords } from '../analysis/word-counts.ts'
import { prepareWrite } from './prepare-write.ts'
import { reduceSynonyms } from './synonyms.ts'

/** As many words are held before they are written, so that a large site needs little more memory than a small one. */
const MAX_HELD = 200_000

/** Collects what pages add to and take from the lexicon and writes the differences together. */
export class LexiconChanges {
  readonly #counted: CountedWords = { words: new Map(), glosses: new Map() }
  readonly #changed = new Set<string>()
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  add(batch: Parameters<typeof addCounts>[1]): void {
    addCounts(this.#counted, batch)
    if (this.#counted.words.size > MAX_HELD) this.#writeWords()
  }

  remove(share: Pick<PageAnalysis, 'words' | 'glosses'>): void {
    countWords(this.#counted, share, -1)
    if (this.#counted.words.size > MAX_HELD) this.#writeWords()
  }

  /** Writes the differences; words no page has any more leave the lexicon. Nothing else of it is looked at. */
  write(): void {
    this.#writeWords()
    this.#dropWords()
    updateSpelling(this.#database, this.#changed)
    reduceSynonyms(this.#database, this.#changed)
    this.#writeGlosses()
  }

  #writeWords(): void {
    const add = prepareWrite(
      this.#database,
      `INSERT INTO lexicon VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET pages = pages + excluded.pages, headings = headings + excluded.headings,
      titles = titles + excluded.titles`,
    )
    const { words } = this.#counted
    for (const id of [...words.keys()].sort()) {
      const change = words.get(id)
      if (change === undefined || (change.pages === 0 && change.headings === 0 && change.titles === 0))
        continue
      const [key, reading, loose, display, , part, parts] = change.word
      add.run(key, reading, loose, display, change.pages, change.headings, change.titles, part, parts)
      this.#changed.add(key)
    }
    words.clear()
  }

  /** Only at the end, since a word that one page loses another may bring. */
  #dropWords(): void {
    prepareWrite(
      this.#database,
      'DELETE FROM lexicon WHERE key IN (SELECT value FROM json_each(?)) AND pages <= 0',
    ).run(JSON.stringify([...this.#changed]))
  }

  #writeGlosses(): void {
    const add = prepareWrite(
      this.#database,
      'INSERT INTO gloss VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages',
    )
    const drop = prepareWrite(
      this.#database,
      'DELETE FROM gloss WHERE english = ? AND japanese = ? AND pages <= 0',
    )
    for (const { english, japanese, pages } of this.#counted.glosses.values()) {
      if (pages !== 0) add.run(english, japanese, pages)
      if (pages < 0) drop.run(english, japanese)
    }
  }
}

const MIN_LENGTH = 3
/** A word that stands once in one text is as likely a misspelling itself. */
const WEIGHTS = `
SELECT key, max(titles * 8 + headings * 3 + pages) AS weight FROM lexicon
WHERE key IN (SELECT value FROM json_each(?)) AND (pages > 1 OR headings > 0 OR titles > 0) GROUP BY key`

/** Brings the lists of words worth correcting to up to date with the lexicon, for the words that changed in it. */
function updateSpelling(database: DatabaseSync, changed: ReadonlySet<string>): void {
  const readList = database.prepare('SELECT words FROM spelling WHERE length = ?')
  const readWeights = database.prepare(WEIGHTS)
  const write = prepareWrite(database, 'INSERT OR REPLACE INTO spelling VALUES (?, ?)')
  const remove = prepareWrite(database, 'DELETE FROM spelling WHERE length = ?')
  for (const [length, keys] of Map.groupBy(changed, (key) => Array.from(key).length)) {
    if (length < MIN_LENGTH) continue
    const words = readLines(readList.get(length)?.words)
    for (const key of keys) words.delete(key)
    for (const { key, weight } of readWeights.all(JSON.stringify(keys)))
      words.set(String(key), String(weight))
    const lines = [...words].map(([key, weight]) => `${key}\t${weight}`)
    if (lines.length === 0) remove.run(length)
    else write.run(length, lines.sort().join('\n'))
  }
}

function readLines(lines: unknown): Map<string, string> {
  if (typeof lines !== 'string' || lines === '') return new Map()
  return new Map(
    lines.split('\n').map((line) => {
      const tab = line.indexOf('\t')
      return [line.slice(0, tab), line.slice(tab + 1)]
    }),
  )
}
