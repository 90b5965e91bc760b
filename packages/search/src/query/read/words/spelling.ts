import type { DatabaseSync } from 'node:sqlite'
import { editDistance } from '@sekisho/contract/edit-distance'
import { SPELLING } from '../../../query-constants.ts'
import { isKatakana } from '../../../text/characters.ts'

/** A word of the site that a misspelled one may have meant. */
interface Suggestion {
  readonly key: string
  /** On the scale of a word's prominence, by its logarithm. */
  readonly likelihood: number
}

/** Finds the site's words within a typing mistake or two of a word, best first. */
export type FindSimilar = (word: string) => Suggestion[]

interface Entry {
  readonly key: string
  readonly letters: number
  readonly prominence: number
}

/**
 * Words are loaded when first needed, by length, each with a bit set of its letters: two words whose sets
 * differ in more than twice the allowed mistakes cannot be that close, which spares the distance.
 */
export function createSpelling(database: DatabaseSync): FindSimilar {
  const words = database.prepare('SELECT words FROM spelling WHERE length = ?')
  const byLength = new Map<number, Entry[]>()
  const ofLength = (length: number): Entry[] => {
    const loaded = byLength.get(length) ?? readEntries(words.get(length)?.words)
    byLength.set(length, loaded)
    return loaded
  }
  return (word) => {
    const isShort = word.length < SPELLING.minLength
    if (
      word.length < (isKatakana(word) ? SPELLING.minKatakana : SPELLING.minLength) ||
      word.length > SPELLING.maxLength
    )
      return []
    const limit = word.length >= SPELLING.minLengthForTwo ? 2 : 1
    const letters = letterSet(word)
    const lengths = Array.from({ length: 2 * limit + 1 }, (_, at) => word.length - limit + at)
    const found = lengths.flatMap(ofLength).flatMap((entry): Suggestion[] => {
      if (bitCount(entry.letters ^ letters) > 2 * limit) return []
      if (isShort && (entry.key[0] !== word[0] || !isKatakana(entry.key))) return []
      const distance = editDistance(word, entry.key, limit)
      return distance > 0 && distance <= limit
        ? [{ key: entry.key, likelihood: likelihoodOf(entry, distance, word) }]
        : []
    })
    return found.sort((a, b) => b.likelihood - a.likelihood).slice(0, SPELLING.maxSuggestions)
  }
}

/** One mistake less outweighs a word thirty times as common; the first letter is seldom wrong. */
function likelihoodOf({ key, prominence }: Entry, distance: number, word: string): number {
  return Math.log2(1 + prominence) - 5 * distance + (key[0] === word[0] ? 3 : 0)
}

function readEntries(lines: unknown): Entry[] {
  if (typeof lines !== 'string' || lines === '') return []
  return lines.split('\n').map((line) => {
    const tab = line.indexOf('\t')
    const key = line.slice(0, tab)
    return { key, letters: letterSet(key), prominence: Number(line.slice(tab + 1)) }
  })
}

function letterSet(word: string): number {
  let set = 0
  for (let at = 0; at < word.length; at += 1) set |= 1 << (word.charCodeAt(at) % SPELLING.letterBits)
  return set
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits >>> 0; rest !== 0; rest &= rest - 1) count += 1
  return count
}
