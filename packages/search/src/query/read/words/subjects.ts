import type { DatabaseSync } from 'node:sqlite'
import { readPhrases } from '../../../format/phrases.ts'
import { EVERYDAY } from '../../../query-constants.ts'
import { phraseFeatures } from '../../../text/phrase-features.ts'

/** Possible subject of a query in other words: a term of the index, with its confidence from 0 to about 1. */
export interface Meant {
  readonly term: string
  readonly weight: number
}

/** The subjects that people speak of in words like a query's, likeliest first. */
type ReadMeant = (query: string) => readonly Meant[]

/** Prepares reading on an open index. */
export function createReadMeant(database: DatabaseSync): ReadMeant {
  const read = database.prepare('SELECT rarity, phrases FROM everyday WHERE feature = ?')
  const all = database.prepare('SELECT subject FROM phrase ORDER BY number').all()
  const subjects = all.map(({ subject }) => String(subject))
  const likeness = new Float32Array(subjects.length + 1)
  return (query) => {
    let length = 0
    const like = new Set<number>()
    for (const [feature, share] of phraseFeatures(query)) {
      const row = read.get(feature)
      const rarity = row === undefined ? EVERYDAY.unknownRarity : Number(row.rarity)
      const weight = share * rarity
      length += weight * weight
      readPhrases(row?.phrases, (phrase, ofPhrase) => {
        like.add(phrase)
        likeness[phrase] = (likeness[phrase] ?? 0) + weight * ofPhrase
      })
    }
    const sums = new Map<string, number>()
    for (const phrase of like) {
      const cosine = (likeness[phrase] ?? 0) / Math.sqrt(length)
      likeness[phrase] = 0
      const subject = subjects[phrase - 1] ?? ''
      sums.set(subject, (sums.get(subject) ?? 0) + cosine ** EVERYDAY.power)
    }
    return [...sums]
      .map(([term, weight]) => ({ term, weight }))
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      .slice(0, EVERYDAY.maxSubjects)
  }
}
