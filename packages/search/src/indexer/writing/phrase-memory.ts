import type { DatabaseSync } from 'node:sqlite'
import type { PhraseMemory } from '../analysis/phrase-words.ts'
import { prepareWrite } from './prepare-write.ts'

/** The memory of earlier builds, which also takes what was read elsewhere. */
export interface KeptPhrases extends PhraseMemory {
  /** Adds a phrase with its words as JSON. */
  add(phrase: string, words: string): void
}

/**
 * The phrases of earlier builds, in the cache. Most edits bring none that the site did not have, and then the dictionary
 * is not needed, which takes longer to load than everything else about an edit.
 */
export function openPhraseMemory(database: DatabaseSync): KeptPhrases {
  const find = database.prepare('SELECT words FROM cached.phrase WHERE phrase = ?')
  const insert = prepareWrite(database, 'INSERT OR IGNORE INTO cached.phrase VALUES (?, ?)')
  const add = (phrase: string, words: string) => void insert.run(phrase, words)
  return {
    add,
    get(phrase) {
      const words = find.get(phrase)?.words
      return typeof words === 'string' ? JSON.parse(words) : undefined
    },
    set(phrase, words) {
      add(phrase, JSON.stringify(words))
      return words
    },
  }
}
