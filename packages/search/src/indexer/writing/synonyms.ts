import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { hasJapanese } from '../../text/characters.ts'
import { readIdentifier } from '../../text/identifiers.ts'
import { foldKatakana } from '../../text/kana.ts'
import { normalise } from '../../text/normalise.ts'
import { termOf } from '../../text/terms.ts'
import { prepareWrite } from './prepare-write.ts'
import { TECHNICAL_SYNONYMS, WORDS_AND_MEANINGS } from './technical-synonyms.ts'

/** Fields read from the dictionary; its package's types cannot be imported past its `exports`. */
interface DictionaryGroup {
  readonly items: readonly {
    readonly midashi: string
    /** 0: expands and is expanded to; 1: is only expanded to; 2: neither. */
    readonly expandControl: 0 | 1 | 2
    /** Equal for forms of one word. */
    readonly vocabularyNumber?: number
  }[]
}

/** Confidence of a synonym in hundredths: the team's, of this field, of one word, of one group, reversed. */
const WEIGHTS = { own: 95, technical: 65, word: 80, group: 55, reverse: 40 }
/** A verb of one character (取る, 入れる) means too many things for a general dictionary. */
const AMBIGUOUS = /^\p{Script=Han}[ぁ-ん]+$/u
const MAX_GROUP = 14
const MAX_WORD = 24

/**
 * Fills the cache with all synonyms there are: the general dictionary's, this field's, and the team's own. Done once for a
 * cache; `reduceSynonyms` takes from it what the site has.
 */
export async function writeAllSynonyms(
  database: DatabaseSync,
  own: readonly (readonly string[])[],
): Promise<void> {
  const dictionary = await readDictionary()
  /** Weights by what is found and then by what it is found for, which is the order of the table. */
  const weights = new Map<string, Map<string, number>>()
  const join = (from: Keys, to: Keys, weight: number): void => {
    if (from.term === '' || to.key === '' || from.term === to.term) return
    const known = weights.get(to.key)
    if (known === undefined) weights.set(to.key, new Map([[from.term, weight]]))
    else known.set(from.term, Math.max(known.get(from.term) ?? 0, weight))
  }
  const pair = (from: string, to: string, weight: number): void => join(keysOf(from), keysOf(to), weight)
  const all = (words: readonly string[], weight: number): void => {
    const keys = words.map(keysOf)
    for (const from of keys) for (const to of keys) join(from, to, weight)
  }
  for (const words of own) all(words, WEIGHTS.own)
  for (const words of TECHNICAL_SYNONYMS) all(words, WEIGHTS.technical)
  for (const [word = '', ...meanings] of WORDS_AND_MEANINGS)
    for (const [at, meaning] of meanings.entries()) {
      pair(word, meaning, (hasJapanese(word) ? WEIGHTS.technical : WEIGHTS.word) - at)
      pair(meaning, word, WEIGHTS.reverse)
    }
  for (const group of dictionary) {
    const items = group.items.filter(
      ({ expandControl, midashi }) => expandControl < 2 && midashi.length > 1 && midashi.length <= MAX_WORD,
    )
    if (items.length > MAX_GROUP) continue
    const keys = items.map(({ midashi }) => keysOf(midashi))
    for (const [at, from] of items.entries()) {
      if (from.expandControl > 0 || AMBIGUOUS.test(from.midashi)) continue
      for (const [other, to] of items.entries()) {
        const isSame = from.vocabularyNumber === to.vocabularyNumber
        join(keys[at] ?? NO_KEYS, keys[other] ?? NO_KEYS, isSame ? WEIGHTS.word : WEIGHTS.group)
      }
    }
  }
  const insert = prepareWrite(database, 'INSERT INTO cached.synonym VALUES (?, ?, ?)')
  database.exec('BEGIN')
  for (const [other, terms] of [...weights].sort(byKey))
    for (const [term, weight] of [...terms].sort(byKey)) insert.run(term, other, weight)
  database.exec(`INSERT INTO synonym SELECT * FROM cached.synonym WHERE weight = ${WEIGHTS.own}; COMMIT`)
}

/** Brings the index's synonyms up to date with its lexicon, for the words that changed in it. */
export function reduceSynonyms(database: DatabaseSync, changed: ReadonlySet<string>): void {
  const keys = JSON.stringify([...changed])
  const values = '(SELECT value FROM json_each(?))'
  prepareWrite(database, `DELETE FROM synonym WHERE weight < ${WEIGHTS.own} AND other IN ${values}`).run(keys)
  prepareWrite(
    database,
    `INSERT OR REPLACE INTO synonym SELECT term, other, weight FROM cached.synonym
    WHERE other IN ${values} AND EXISTS (SELECT 1 FROM lexicon WHERE key = other)`,
  ).run(keys)
}

/** A word as the lexicon has it, and as a term. */
interface Keys {
  readonly key: string
  readonly term: string
}

const NO_KEYS: Keys = { key: '', term: '' }

function keysOf(word: string): Keys {
  const key = synonymKey(word)
  return { key, term: termOf(key) }
}

/** Rows that come in the order of their table are written at its end. */
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** The key that the lexicon has a word under; names joined. */
function synonymKey(word: string): string {
  const normal = normalise(word)
  if (!/^[\x20-\x7e]+$/.test(normal)) return foldKatakana(normal).replaceAll(' ', '')
  return readIdentifier(normal.replaceAll(' ', '')).joined
}

/** The package offers ES modules a file that it does not contain. */
function readDictionary(): Promise<readonly DictionaryGroup[]> {
  const dictionary: { fetchDictionary(): Promise<readonly DictionaryGroup[]> } = createRequire(
    import.meta.url,
  )('sudachi-synonyms-dictionary')
  return dictionary.fetchDictionary()
}
