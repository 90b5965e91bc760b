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
type FindSubjects = (wide: string, onName: (name: Name) => void) => void

const LATIN = /^[\x20-\x7e]+$/
const LETTER = /[a-z0-9_]/
/** A name of so many letters may begin or end another katakana word and still be meant. */
const MIN_WITHIN = 4
/** Names are looked up by their first two characters, which as one number cost every place of every text no string. */
const headAt = (text: string, at: number): number => text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1)
/** A place in a table that says of most heads that no name has them: a look-up of a large number is an eighth of all analysis. */
const placeAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & 0xffff

const [NO_NAME, LATIN_NAMES, ANY_NAME] = [0, 1, 2]
/** By UTF-16 unit. */
const isLatinLetter = Uint8Array.from({ length: 0x10000 }, (_, unit) =>
  LETTER.test(String.fromCharCode(unit)) ? 1 : 0,
)
/** Tells if a place is within a Latin word, where no Latin name begins. */
const isInLatin = (text: string, at: number): boolean =>
  at > 0 && isLatinLetter[text.charCodeAt(at)] === 1 && isLatinLetter[text.charCodeAt(at - 1)] === 1

let finder: FindSubjects | undefined

/** One for a thread: the names are sorted once. */
export function subjectFinder(): FindSubjects {
  finder ??= createSubjectFinder(readSubjects())
  return finder
}

/** Names that begin alike: by their third character, longest first, and the one that has none. */
interface Alike {
  readonly longer: ReadonlyMap<number, readonly Name[]>
  readonly short: Name | undefined
}

/** Prepares finding the subjects' names, of several at one place the longest. */
export function createSubjectFinder(subjects: readonly Subject[]): FindSubjects {
  const byHead = new Map<number, Alike>()
  const heads = new Uint8Array(0x10000)
  for (const [head, names] of Map.groupBy(namesOf(subjects), ({ text }) => headAt(text, 0))) {
    const longest = names.toSorted((a, b) => b.text.length - a.text.length)
    const longer = longest.filter(({ text }) => text.length > 2)
    const short = longest.find(({ text }) => text.length <= 2)
    byHead.set(head, { longer: Map.groupBy(longer, ({ text }) => text.charCodeAt(2)), short })
    const place = placeAt(names[0]?.text ?? '', 0)
    const isLatin = heads[place] !== ANY_NAME && names.every(({ script }) => script === 'latin')
    heads[place] = isLatin ? LATIN_NAMES : ANY_NAME
  }
  return (wide, onName) => {
    const text = foldKatakana(wide.toLowerCase())
    for (let at = 0; at < text.length - 1; at += 1) {
      const head = heads[placeAt(text, at)]
      if (head === NO_NAME || (head === LATIN_NAMES && isInLatin(text, at))) continue
      const alike = byHead.get(headAt(text, at))
      if (alike === undefined) continue
      const { longer, short } = alike
      const found =
        longer
          .get(text.charCodeAt(at + 2))
          ?.find((name) => text.startsWith(name.text, at) && isWord(name, text, at)) ??
        (short !== undefined && isWord(short, text, at) ? short : undefined)
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
