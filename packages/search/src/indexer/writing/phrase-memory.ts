import type { DatabaseSync } from 'node:sqlite'
import type { PhraseMemory } from '../analysis/phrase-words.ts'
import { prepareWrite } from './prepare-write.ts'

/**
 * The phrases of earlier builds, in the cache. Most edits bring none that the site did not have, and then the dictionary
 * is not needed, which takes longer to load than everything else about an edit.
 */
export function openPhraseMemory(database: DatabaseSync): PhraseMemory {
  const find = database.prepare('SELECT words FROM cached.phrase WHERE phrase = ?')
  const insert = prepareWrite(database, 'INSERT OR IGNORE INTO cached.phrase VALUES (?, ?)')
  return {
    get(phrase) {
      const words = find.get(phrase)?.words
      return typeof words === 'string' ? JSON.parse(words) : undefined
    },
    set: (phrase, words) => void insert.run(phrase, JSON.stringify(words)),
  }
}
