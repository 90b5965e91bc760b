import type { DatabaseSync } from 'node:sqlite'
import type { PageAnalysis } from '../analysis/page-analysis.ts'
import { addCounts, type CountedWords, countWords } from '../analysis/word-counts.ts'
import { prepareWrite } from './prepare-write.ts'
import { updateSpelling } from './spelling-lists.ts'
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

  add(counted: CountedWords): void {
    addCounts(this.#counted, counted)
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
