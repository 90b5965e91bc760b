import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { hasJapanese } from '../../text/characters.ts'
import { readIdentifier } from '../../text/identifiers.ts'
import { foldKatakana } from '../../text/kana.ts'
import { normalise } from '../../text/normalise.ts'
import { termOf } from '../../text/terms.ts'
import { prepareWrite } from './prepare-write.ts'
import { TECHNICAL_SYNONYMS, WORDS_AND_MEANINGS } from './technical-synonyms.ts'

/** Confidence of a synonym in hundredths: the team's, of this field, of one word, of one group, reversed. */
const WEIGHTS = { own: 95, technical: 65, word: 80, group: 55, reverse: 40 }
/** Written by `synonyms/generate.ts`, which says how. */
const FILE = new URL('../../../synonyms.txt', import.meta.url)

/** All synonyms there are but the team's: read once for a process, which may write several indexes. */
interface Dictionary {
  readonly technical: readonly (readonly Keys[])[]
  readonly meanings: readonly (readonly Keys[])[]
  /** Groups of the general dictionary by key. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

let dictionary: Dictionary | undefined

/** Writes the team's own synonyms, which are kept however the lexicon changes. */
export function writeOwnSynonyms(database: DatabaseSync, own: readonly (readonly string[])[]): void {
  const found = new Synonyms(() => true)
  for (const words of own) found.joinAll(words.map(keysOf), WEIGHTS.own)
  found.write(database)
}

/** Brings the index's synonyms up to date with its lexicon, for the words that changed in it. */
export function reduceSynonyms(database: DatabaseSync, changed: ReadonlySet<string>): void {
  const keys = JSON.stringify([...changed])
  const values = '(SELECT value FROM json_each(?))'
  prepareWrite(database, `DELETE FROM synonym WHERE weight < ${WEIGHTS.own} AND other IN ${values}`).run(keys)
  const rows = database.prepare(`SELECT DISTINCT key FROM lexicon WHERE key IN ${values}`).all(keys)
  const present = new Set(rows.map(({ key }) => String(key)))
  const found = new Synonyms((key) => present.has(key))
  dictionary ??= readDictionary()
  const { technical, meanings, groups } = dictionary
  for (const words of technical) found.joinAll(words, WEIGHTS.technical)
  for (const [word = NO_KEYS, ...others] of meanings)
    for (const [at, meaning] of others.entries()) {
      found.join(word, meaning, (hasJapanese(word.key) ? WEIGHTS.technical : WEIGHTS.word) - at)
      found.join(meaning, word, WEIGHTS.reverse)
    }
  for (const group of new Set([...present].flatMap((key) => groups.get(key) ?? []))) joinGroup(found, group)
  found.write(database)
}

function readDictionary(): Dictionary {
  const groups = new Map<string, string[]>()
  for (const group of readFileSync(FILE, 'utf8').split(/;\n?/))
    for (const key of group.split(/[|,]-?|^-/)) {
      const known = groups.get(key)
      if (known === undefined) groups.set(key, [group])
      else known.push(group)
    }
  const [technical, meanings] = [TECHNICAL_SYNONYMS, WORDS_AND_MEANINGS].map((lists) =>
    lists.map((words) => words.map(keysOf)),
  )
  return { technical: technical ?? [], meanings: meanings ?? [], groups }
}

function joinGroup(found: Synonyms, group: string): void {
  const forms = group.split('|').flatMap((word, number) =>
    word.split(',').map((form) => {
      const key = form.replace(/^-/, '')
      return { key, term: termOf(key), finds: key === form, number }
    }),
  )
  for (const from of forms)
    if (from.finds)
      for (const to of forms) found.join(from, to, from.number === to.number ? WEIGHTS.word : WEIGHTS.group)
}

/** Weights of synonyms by what is found and then by what it is found for, which is the order of the table. */
class Synonyms {
  readonly #isWanted: (key: string) => boolean
  readonly #weights = new Map<string, Map<string, number>>()

  constructor(isWanted: (key: string) => boolean) {
    this.#isWanted = isWanted
  }

  join(from: Keys, to: Keys, weight: number): void {
    if (from.term === '' || to.key === '' || from.term === to.term || !this.#isWanted(to.key)) return
    const known = this.#weights.get(to.key) ?? new Map<string, number>()
    this.#weights.set(to.key, known.set(from.term, Math.max(known.get(from.term) ?? 0, weight)))
  }

  joinAll(words: readonly Keys[], weight: number): void {
    for (const from of words) for (const to of words) this.join(from, to, weight)
  }

  /** Writes those that the team did not. */
  write(database: DatabaseSync): void {
    const insert = prepareWrite(database, 'INSERT OR IGNORE INTO synonym VALUES (?, ?, ?)')
    for (const [other, terms] of [...this.#weights].sort(byKey))
      for (const [term, weight] of [...terms].sort(byKey)) insert.run(term, other, weight)
  }
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
export function synonymKey(word: string): string {
  const normal = normalise(word)
  if (!/^[\x20-\x7e]+$/.test(normal)) return foldKatakana(normal).replaceAll(' ', '')
  return readIdentifier(normal.replaceAll(' ', '')).joined
}
