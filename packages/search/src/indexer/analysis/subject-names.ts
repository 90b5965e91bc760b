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
const headAt = (text: string, at: number): number => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1)
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

/** A place in the tree of names by their characters, with the name that ends there. */
interface Node {
  readonly next: Map<number, Node>
  name?: Name
}

/** Prepares finding the subjects' names, of several at one place the longest. */
export function createSubjectFinder(subjects: readonly Subject[]): FindSubjects {
  const byHead = new Map<number, Node>()
  const heads = new Uint8Array(0x10000)
  for (const name of namesOf(subjects)) {
    const place = placeAt(name.text, 0)
    heads[place] = Math.max(heads[place] ?? 0, name.script === 'latin' ? LATIN_NAMES : ANY_NAME)
    let node = nodeOf(byHead, headAt(name.text, 0))
    for (let at = 2; at < name.text.length; at += 1) node = nodeOf(node.next, name.text.charCodeAt(at))
    node.name = name
  }
  return (wide, onName) => {
    const text = foldKatakana(wide.toLowerCase())
    for (let at = 0; at < text.length - 1; at += 1) {
      const head = heads[placeAt(text, at)]
      if (head === NO_NAME || (head === LATIN_NAMES && isInLatin(text, at))) continue
      let found: Name | undefined
      let node = byHead.get(headAt(text, at))
      for (let end = at + 2; node !== undefined; end += 1) {
        if (node.name !== undefined && isWord(node.name, text, at)) found = node.name
        node = node.next.get(text.charCodeAt(end))
      }
      if (found === undefined) continue
      onName(found)
      at += found.text.length - 1
    }
  }
}

function nodeOf(nodes: Map<number, Node>, unit: number): Node {
  const known = nodes.get(unit) ?? { next: new Map() }
  nodes.set(unit, known)
  return known
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
