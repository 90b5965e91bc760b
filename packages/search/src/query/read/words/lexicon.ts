import type { DatabaseSync } from 'node:sqlite'
import { PARTS_OF_SPEECH, type PartOfSpeech } from '../../../format/parts-of-speech.ts'
import { LEXICON } from '../../../query-constants.ts'

/** A word of the site: lookup form, as written, on how many pages, in headings, in titles, and what part of speech. */
export interface LexiconWord {
  readonly key: string
  readonly reading: string
  readonly display: string
  readonly pages: number
  readonly headings: number
  readonly titles: number
  readonly part: PartOfSpeech
  /** Of a compound, the words it is made of; empty for a single word. */
  readonly parts: readonly string[]
}

/** The site's words, looked up in the index file; nothing is loaded ahead. */
export interface Lexicon {
  find(key: string): LexiconWord | null
  withPrefix(prefix: string): LexiconWord[]
  hasPrefix(prefix: string): boolean
  readAs(reading: string): LexiconWord[]
  readLooselyAs(loose: string): LexiconWord[]
  readingPrefix(prefix: string): LexiconWord[]
  /** Japanese terms that pages write beside an English one, most common first. */
  japaneseFor(english: string): string[]
  /** Other words of the site for a term, likeliest first. */
  synonymsOf(term: string): Synonym[]
  hasSynonyms(term: string): boolean
}

/** Another word; `weight` is from 0 to 1, for how surely it means the same. */
interface Synonym {
  readonly key: string
  readonly weight: number
}

const PROMINENCE = 'titles * 8 + headings * 3 + pages'
const COLUMNS = 'key, reading, display, pages, headings, titles, part, parts'
const LAST = '\u{10ffff}'

/** Prepares the lookups on an open index. */
export function createLexicon(database: DatabaseSync): Lexicon {
  const ordered = `ORDER BY ${PROMINENCE} DESC LIMIT ${LEXICON.maxWords}`
  const find = database.prepare(`SELECT ${COLUMNS} FROM lexicon WHERE key = ? ORDER BY pages DESC LIMIT 1`)
  const prefix = database.prepare(`SELECT ${COLUMNS} FROM lexicon WHERE key > ? AND key < ? ${ordered}`)
  const anyPrefix = database.prepare('SELECT 1 FROM lexicon WHERE key >= ? AND key < ? LIMIT 1')
  const read = database.prepare(
    `SELECT ${COLUMNS} FROM lexicon WHERE reading = ? AND reading <> '' ${ordered}`,
  )
  const loose = database.prepare(`SELECT ${COLUMNS} FROM lexicon WHERE loose = ? AND loose <> '' ${ordered}`)
  const readingPrefix = database.prepare(
    `SELECT ${COLUMNS} FROM lexicon WHERE reading > ? AND reading < ? AND reading <> '' ${ordered}`,
  )
  const gloss = database.prepare(
    `SELECT japanese, pages FROM gloss WHERE english = ? AND length(japanese) <= ${LEXICON.maxGloss}
    ORDER BY pages DESC, japanese LIMIT 3`,
  )
  const synonyms = database.prepare(
    'SELECT other, weight FROM synonym WHERE term = ? ORDER BY weight DESC, other LIMIT 12',
  )
  const anySynonym = database.prepare('SELECT 1 FROM synonym WHERE term = ? LIMIT 1')
  return {
    find: remembering((key) => find.all(key).map(readWord)[0] ?? null),
    hasPrefix: remembering((key) => anyPrefix.get(key, key + LAST) !== undefined),
    withPrefix: (key) => prefix.all(key, key + LAST).map(readWord),
    readAs: (reading) => read.all(reading).map(readWord),
    readLooselyAs: (key) => loose.all(key).map(readWord),
    readingPrefix: (key) => readingPrefix.all(key, key + LAST).map(readWord),
    hasSynonyms: remembering((term) => anySynonym.get(term) !== undefined),
    synonymsOf: (term) =>
      synonyms.all(term).map(({ other, weight }) => ({ key: String(other), weight: Number(weight) / 100 })),
    japaneseFor: (term) => mostCommon(gloss.all(term)),
  }
}

/** Reading one run asks for a part of it many times, and the next query for much of the same: an open index does not change. */
function remembering<Known>(ask: (key: string) => Known): (key: string) => Known {
  const known = new Map<string, Known>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= LEXICON.maxRemembered) known.clear()
    const now = ask(key)
    known.set(key, now)
    return now
  }
}

/** Prominence of a word on the site: the order of offers. */
export function prominence(word: LexiconWord): number {
  return word.titles * 8 + word.headings * 3 + word.pages
}

/** Tells if a character reads differently alone than in a word continued in kana: 表 and 表す, not 話 and 話し. */
export function isReadOtherwise(alone: LexiconWord | null, whole: LexiconWord | null): boolean {
  if (alone === null || whole === null || alone.reading === '' || whole.reading === '') return false
  const kana = whole.key.length - alone.key.length
  return kana > 0 && !alone.reading.startsWith(whole.reading.slice(0, -kana))
}

/** A pair seen on one page says little beside one seen on several. */
function mostCommon(rows: readonly Record<string, unknown>[]): string[] {
  const most = Number(rows[0]?.pages ?? 0)
  return rows.filter((row) => Number(row.pages) * 2 > most).map((row) => String(row.japanese))
}

function readWord(row: Record<string, unknown>): LexiconWord {
  return {
    key: String(row.key),
    reading: String(row.reading),
    display: String(row.display),
    pages: Number(row.pages),
    headings: Number(row.headings),
    titles: Number(row.titles),
    part: PARTS_OF_SPEECH[Number(row.part)] ?? 'thing',
    parts: row.parts === '' ? [] : String(row.parts).split(' '),
  }
}
