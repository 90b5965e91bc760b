import type { DatabaseSync } from 'node:sqlite'
import { IN_HEADING, IN_TITLE, type PageAnalysis, type PageWord } from './page-analysis.ts'
import { prepareWrite } from './prepare-write.ts'
import { updateSpelling } from './spelling-lists.ts'

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

/** Collects what pages add to and take from the lexicon and writes the differences at once. */
export class LexiconChanges {
  readonly #words = new Map<string, WordChange>()
  readonly #glosses = new Map<string, GlossChange>()

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
  }

  /** Writes the differences; words no page has any more leave the lexicon. Nothing else of it is looked at. */
  write(database: DatabaseSync): void {
    this.#writeWords(database)
    this.#writeGlosses(database)
  }

  #writeWords(database: DatabaseSync): void {
    const add = prepareWrite(
      database,
      `INSERT INTO lexicon VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET pages = pages + excluded.pages, headings = headings + excluded.headings,
      titles = titles + excluded.titles`,
    )
    const drop = prepareWrite(database, 'DELETE FROM lexicon WHERE key = ? AND reading = ? AND pages <= 0')
    const changed = new Set<string>()
    for (const id of [...this.#words.keys()].sort()) {
      const change = this.#words.get(id)
      if (change === undefined || (change.pages === 0 && change.headings === 0 && change.titles === 0))
        continue
      const [key, reading, loose, display] = change.word
      add.run(key, reading, loose, display, change.pages, change.headings, change.titles)
      if (change.pages < 0) drop.run(key, reading)
      changed.add(key)
    }
    updateSpelling(database, changed)
  }

  #writeGlosses(database: DatabaseSync): void {
    const add = prepareWrite(
      database,
      'INSERT INTO gloss VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages',
    )
    const drop = prepareWrite(database, 'DELETE FROM gloss WHERE english = ? AND japanese = ? AND pages <= 0')
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
