import type { DatabaseSync } from 'node:sqlite'
import { IN_HEADING, IN_TITLE, type PageAnalysis, type PageWord } from './page-analysis.ts'
import { prepareWrite } from './prepare-write.ts'

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

/** A word that stands once in one text is as likely a misspelling itself. */
const SPELLING = `
INSERT OR REPLACE INTO spelling SELECT length(key), group_concat(key || char(9) || weight, char(10)) FROM (
  SELECT key, max(titles * 8 + headings * 3 + pages) AS weight FROM lexicon
  WHERE (pages > 1 OR headings > 0 OR titles > 0) AND length(key) IN (SELECT value FROM json_each(?)) GROUP BY key
) GROUP BY length(key)`
const MIN_SPELLING = 3

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

  /** Writes the differences; words no page has any more leave the lexicon. */
  write(database: DatabaseSync): void {
    const word = prepareWrite(
      database,
      `INSERT INTO lexicon VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET pages = pages + excluded.pages, headings = headings + excluded.headings,
      titles = titles + excluded.titles`,
    )
    const lengths = new Set<number>()
    for (const key of [...this.#words.keys()].sort()) {
      const change = this.#words.get(key)
      if (change === undefined || (change.pages === 0 && change.headings === 0 && change.titles === 0))
        continue
      const [folded, reading, loose, display] = change.word
      const length = Array.from(folded).length
      if (length >= MIN_SPELLING) lengths.add(length)
      word.run(folded, reading, loose, display, change.pages, change.headings, change.titles)
    }
    const gloss = prepareWrite(
      database,
      'INSERT INTO gloss VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages',
    )
    for (const { english, japanese, pages } of this.#glosses.values()) {
      if (pages !== 0) gloss.run(english, japanese, pages)
    }
    database.exec('DELETE FROM lexicon WHERE pages <= 0; DELETE FROM gloss WHERE pages <= 0')
    const touched = JSON.stringify([...lengths])
    prepareWrite(database, 'DELETE FROM spelling WHERE length IN (SELECT value FROM json_each(?))').run(
      touched,
    )
    prepareWrite(database, SPELLING).run(touched)
  }
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const created = create()
  map.set(key, created)
  return created
}
