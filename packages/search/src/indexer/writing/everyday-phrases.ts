import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type PhraseShare, packPhrases } from '../../format/phrases.ts'
import { phraseFeatures } from '../../text/phrase-features.ts'
import { readSubjects, type Subject, subjectsDigest } from '../words/everyday-words.ts'
import { prepareWrite } from './prepare-write.ts'

/** Phrases are compared by the cosine, of which those longer than usual are let off a little. */
const LENGTH_POWER = 0.9
const USUAL_LENGTH = 8

/**
 * Writes the everyday phrases of the subjects that the site has pages about. Done again only when these are others, which on a
 * large site an edit seldom brings about.
 */
export function writeEverydayPhrases(database: DatabaseSync): void {
  const has = database.prepare('SELECT 1 FROM posting WHERE term = ? LIMIT 1')
  const subjects = readSubjects()
  const present = subjects.filter(({ term }) => has.get(term) !== undefined)
  const stamp = hash('sha256', [subjectsDigest(), ...present.map(({ term }) => term)].join('\n'))
  if (database.prepare('SELECT stamp FROM cached.subjects').get()?.stamp === stamp) return
  database.exec('DELETE FROM cached.subjects; DELETE FROM everyday; DELETE FROM phrase')
  prepareWrite(database, 'INSERT INTO cached.subjects VALUES (?)').run(stamp)
  frequencies ??= countSubjects(subjects)
  const insert = prepareWrite(database, 'INSERT INTO phrase VALUES (?, ?)')
  const phrases = new Map<string, PhraseShare[]>()
  let number = 0
  for (const { term, phrases: own } of present)
    for (const phrase of own) {
      number += 1
      insert.run(number, term)
      for (const [feature, share] of sharesOf(featuresOf(phrase), frequencies, subjects.length)) {
        const known = phrases.get(feature)
        if (known === undefined) phrases.set(feature, [[number, share]])
        else known.push([number, share])
      }
    }
  const write = prepareWrite(database, 'INSERT INTO everyday VALUES (?, ?, ?)')
  for (const feature of [...phrases.keys()].sort())
    write.run(
      feature,
      rarityOf(frequencies.get(feature), subjects.length),
      packPhrases(phrases.get(feature) ?? []),
    )
}

/** Of all subjects' phrases; as {@link frequencies}, found once for a process, which may write several indexes. */
const features = new Map<string, ReadonlyMap<string, number>>()
let frequencies: ReadonlyMap<string, number> | undefined

function featuresOf(phrase: string): ReadonlyMap<string, number> {
  const known = features.get(phrase) ?? phraseFeatures(phrase)
  features.set(phrase, known)
  return known
}

/** Number of subjects with each feature: features of many say little. */
function countSubjects(subjects: readonly Subject[]): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>()
  for (const { phrases } of subjects)
    for (const feature of new Set(phrases.flatMap((phrase) => [...featuresOf(phrase).keys()])))
      frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1)
  return frequencies
}

const rarityOf = (frequency = 1, subjects: number): number => Math.log(1 + subjects / frequency)

function sharesOf(
  features: ReadonlyMap<string, number>,
  frequencies: ReadonlyMap<string, number>,
  subjects: number,
): [string, number][] {
  const weights = [...features].map(
    ([feature, weight]) => [feature, weight * rarityOf(frequencies.get(feature), subjects)] as const,
  )
  const own = Math.hypot(...weights.map(([, weight]) => weight))
  const length = own ** LENGTH_POWER * USUAL_LENGTH ** (1 - LENGTH_POWER) || 1
  return weights.map(([feature, weight]) => [feature, weight / length])
}
