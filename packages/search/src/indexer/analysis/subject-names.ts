import { isKatakana } from '../../text/characters.ts'
import { foldKatakana } from '../../text/kana.ts'
import { readSubjects, type Subject } from '../words/everyday-words.ts'

/** A name, the terms of the subjects that pages call by it, and how much it says of each. */
interface Name {
  readonly text: string
  readonly terms: readonly string[]
  readonly weight: number
  readonly script: 'latin' | 'katakana' | 'other'
}

/** Calls back for each name of a subject in a text whose width is normalised. */
export type FindSubjects = (wide: string, onName: (name: Name) => void) => void

const LATIN = /^[\x20-\x7e]+$/
const LETTER = /[a-z0-9_]/
/** A name of so many letters may begin or end another katakana word and still be meant. */
const MIN_WITHIN = 4
/** Names are looked up by their first two characters, which as one number cost every place of every text no string. */
const headAt = (text: string, at: number): number => text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1)

let finder: FindSubjects | undefined

/** One for a thread: the names are sorted once. */
export function subjectFinder(): FindSubjects {
  finder ??= createSubjectFinder(readSubjects())
  return finder
}

/** Prepares finding the subjects' names, of several at one place the longest. */
export function createSubjectFinder(subjects: readonly Subject[]): FindSubjects {
  const byHead = Map.groupBy(namesOf(subjects), ({ text }) => headAt(text, 0))
  for (const names of byHead.values()) names.sort((a, b) => b.text.length - a.text.length)
  return (wide, onName) => {
    const text = foldKatakana(wide.toLowerCase())
    for (let at = 0; at < text.length - 1; at += 1) {
      const found = byHead
        .get(headAt(text, at))
        ?.find((name) => text.startsWith(name.text, at) && isWord(name, text, at))
      if (found === undefined) continue
      onName(found)
      at += found.text.length - 1
    }
  }
}

function namesOf(subjects: readonly Subject[]): Name[] {
  const holders = new Map<string, string[]>()
  for (const { term, names } of subjects)
    for (const name of names) holders.set(name, [...(holders.get(name) ?? []), term])
  return [...holders].map(([text, terms]) => ({
    text,
    terms,
    weight: 1 / Math.sqrt(terms.length),
    script: LATIN.test(text) ? 'latin' : isKatakana(text) ? 'katakana' : 'other',
  }))
}

function isWord({ text: name, script }: Name, text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' ']
  if (script === 'katakana') {
    const [begins, ends] = [!isKatakana(before), !isKatakana(after)]
    return (begins && ends) || ((begins || ends) && name.length >= MIN_WITHIN)
  }
  if (script !== 'latin') return true
  if (LETTER.test(name.slice(0, 1)) && LETTER.test(before)) return false
  const isPlural = after === 's' && !LETTER.test(text[at + name.length + 1] ?? ' ')
  return isPlural || !(LETTER.test(name.slice(-1)) && LETTER.test(after))
}
