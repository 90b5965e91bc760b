import type { DatabaseSync } from 'node:sqlite'
import { IN_HEADING, IN_TITLE, type PageAnalysis, type PageWord } from '../analysis/page-analysis.ts'
import { prepareWrite } from './prepare-write.ts'
import { updateSpelling } from './spelling-lists.ts'
import { reduceSynonyms } from './synonyms.ts'

interface WordChange {
  readonly word: PageWord
  pages: number
  headings: number
  titles: number
}

interface GlossChange {
  readonly english: string
  readonly japanese: string
  pages: number
}

type Words = Pick<PageAnalysis, 'words' | 'glosses'>

/** As many words are held before they are written, so that a large site needs little more memory than a small one. */
const MAX_HELD = 200_000

/** Collects what pages add to and take from the lexicon and writes the differences together. */
export class LexiconChanges {
  readonly #words = new Map<string, WordChange>()
  readonly #glosses = new Map<string, GlossChange>()
  readonly #changed = new Set<string>()
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Counts a page's words in (`sign` 1) or out (`sign` -1). */
  count({ words, glosses }: Words, sign: 1 | -1): void {
    for (const word of words) {
      const change = entry(this.#words, `${word[0]}\t${word[1]}`, () => ({
        word,
        pages: 0,
        headings: 0,
        titles: 0,
      }))
      change.pages += sign
      if (word[4] === IN_TITLE) change.titles += sign
      if (word[4] === IN_HEADING) change.headings += sign
    }
    for (const [english, japanese] of glosses) {
      entry(this.#glosses, `${english}\t${japanese}`, () => ({ english, japanese, pages: 0 })).pages += sign
    }
    if (this.#words.size > MAX_HELD) this.#writeWords()
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
    for (const id of [...this.#words.keys()].sort()) {
      const change = this.#words.get(id)
      if (change === undefined || (change.pages === 0 && change.headings === 0 && change.titles === 0))
        continue
      const [key, reading, loose, display, , part, parts] = change.word
      add.run(key, reading, loose, display, change.pages, change.headings, change.titles, part, parts)
      this.#changed.add(key)
    }
    this.#words.clear()
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
    for (const { english, japanese, pages } of this.#glosses.values()) {
      if (pages !== 0) add.run(english, japanese, pages)
      if (pages < 0) drop.run(english, japanese)
    }
  }
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const created = create()
  map.set(key, created)
  return created
}
