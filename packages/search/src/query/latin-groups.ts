import { englishKey } from '../text/english.ts'
import { readIdentifier, splitChunk } from '../text/identifiers.ts'
import { encodeSymbols, isOperator, symbolTermsAsWritten } from '../text/symbols.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  nearAlternative,
  partsAlternative,
  symbolAlternative,
} from './alternative.ts'
import type { Atom } from './atoms.ts'
import { nameGroup } from './name-group.ts'
import type { Reader } from './reader.ts'

const MAX_JOINED = 4
const MAX_SEQUENCE = 10
/** Romaji with an apostrophe after ん: kon'ya. */
const SYLLABIC_N = /^[a-z]*n'[aiueoy][a-z']*$/i
const MIN_NEAR = 3
const MAX_NEAR = 8
const MESSAGE_WORDS = 4
const BRACKETS = /[<>()[\]{}]/
/** Grammar tells an error message from a list of keywords. */
const MESSAGE_MARKS: ReadonlySet<string> = new Set(
  'a an the is are was be been not no of at as to in on for with does do did cannot can could must should by from has have too'.split(
    ' ',
  ),
)
const GLOSS_WEIGHT = 0.8

/** Reads neighbouring chunks of Latin letters and symbols into groups. */
export function latinGroups(atoms: readonly Atom[], reader: Reader): Group[] {
  const groups: Group[] = []
  let sequence: Atom[] = []
  for (const atom of atoms) {
    const symbols = symbolGroups(atom, reader)
    if (symbols.length === 0) {
      sequence.push(atom)
      continue
    }
    groups.push(...sequenceGroups(sequence, reader), ...symbols)
    sequence = []
    if (hasFurtherNames(atom, symbols)) groups.push(...sequenceGroups([atom], reader))
  }
  return [...groups, ...sequenceGroups(sequence, reader)]
}

/** Operators between names (`std::thread`, `Arc<Mutex<T>>`) are how the names are joined: they only rank. */
function symbolGroups(atom: Atom, reader: Reader): Group[] {
  const hasNames = splitChunk(atom.text).length > 0
  return symbolTermsAsWritten(atom.text).flatMap((written): Group[] => {
    const alternative = symbolAlternative(encodeSymbols(written), written, 1)
    if (!reader.exists(alternative.match)) return []
    const optional = hasNames && isOperator(written)
    return [{ label: written, alternatives: [alternative], parts: [], optional, pages: 0 }]
  })
}

/** Whether an atom has names beside the one that its symbol belongs to. */
function hasFurtherNames(atom: Atom, symbols: readonly Group[]): boolean {
  const names = splitChunk(atom.text).length
  return names > 1 || (names === 1 && symbols.every(({ label }) => isOperator(label)))
}

function sequenceGroups(atoms: readonly Atom[], reader: Reader): Group[] {
  const chunks = atoms.map(readChunk).filter((chunk) => chunk.names.length > 0)
  const names = chunks.flatMap((chunk) => chunk.names).slice(0, MAX_SEQUENCE)
  const [only] = names
  if (only === undefined) return []
  if (names.length === 1) return [nameGroup(only, chunks[0]?.last === true, reader)]
  const joined = names.map((name) => readIdentifier(name).joined)
  const isMessage = chunks.length >= MESSAGE_WORDS && joined.some((name) => MESSAGE_MARKS.has(name))
  const alternatives: Alternative[] = [namesAlternative(joined, 1, 'word'), ...splitAlternatives(names)]
  if (joined.length <= MAX_JOINED) alternatives.push(...joinedAlternatives(joined, reader))
  if (chunks.length > 1) alternatives.push(...nearAlternatives(joined, isMessage, reader))
  else alternatives.push(...correctedAlternatives(names, joined, reader))
  for (const japanese of reader.lexicon.japaneseFor(englishKey(joined.join(' ')))) {
    alternatives.push(japaneseAlternative(japanese, GLOSS_WEIGHT))
  }
  const parts = isMessage ? [] : apart(chunks, reader)
  return [{ label: joined.join(' '), alternatives, parts, optional: false, pages: 0 }]
}

/** What a sequence is made of: its chunks, or the names in brackets of one (`Arc<Mutex<T>>`); a path is one thing. */
function apart(chunks: readonly Chunk[], reader: Reader): Group[] {
  const [only] = chunks
  if (chunks.length > 1 || only === undefined)
    return chunks.flatMap((chunk) => sequenceGroups([chunk.atom], reader))
  if (!BRACKETS.test(only.atom.text)) return []
  return only.names.filter((name) => name.length > 1).map((name) => nameGroup(name, false, reader))
}

/** `ASP.NETCore` as the words it was glued from. */
function splitAlternatives(names: readonly string[]): Alternative[] {
  const flat = names.flatMap((name) => {
    const { joined, parts } = readIdentifier(name)
    return parts.length > 1 ? parts : [joined]
  })
  return flat.length > names.length && flat.length <= MAX_SEQUENCE
    ? [namesAlternative(flat, 0.9, 'none')]
    : []
}

function joinedAlternatives(names: readonly string[], { lexicon }: Reader): Alternative[] {
  const joined = names.join('')
  const whole = lexicon.find(joined) === null ? [] : [namesAlternative([joined], 1, 'word')]
  return [...whole, partsAlternative(names, 0.9)]
}

/** A path or file name with misspelled names in it (pakcage.json), if it is nowhere as typed. */
function correctedAlternatives(
  names: readonly string[],
  joined: readonly string[],
  reader: Reader,
): Alternative[] {
  if (reader.exists(namesAlternative(joined, 1, 'word').match)) return []
  const corrected = joined.map((name) =>
    reader.lexicon.find(name) === null ? (reader.findSimilar(name)[0]?.key ?? name) : name,
  )
  const alternative = namesAlternative(corrected, 0.8, 'word')
  if (corrected.join() === joined.join() || !reader.exists(alternative.match)) return []
  corrected.forEach((to, at) => {
    if (to !== joined[at]) reader.corrections.push({ from: names[at] ?? to, to })
  })
  return [alternative]
}

/**
 * Words near each other; of a message, which changes from version to version, all but one will do. Where a page has all,
 * the others only rank: each is one more search for every common word.
 */
function nearAlternatives(words: readonly string[], isMessage: boolean, reader: Reader): Alternative[] {
  const names = [...new Set(words)].slice(0, MAX_NEAR)
  if (names.length < MIN_NEAR) return []
  const window = names.length * 2 + 6
  const all = nearAlternative(names, window, 0.9)
  if (!isMessage) return [all]
  const isOnSite = reader.exists(all.match)
  const allButOne = names.map((_, left) => nearAlternative(names.toSpliced(left, 1), window, 0.7))
  return [all, ...allButOne.map((one) => (isOnSite ? { ...one, match: '' } : one))]
}

interface Chunk {
  readonly atom: Atom
  readonly names: readonly string[]
  readonly last: boolean
}

function readChunk(atom: Atom): Chunk {
  const names = SYLLABIC_N.test(atom.text) ? [atom.text] : splitChunk(atom.text)
  return { atom, names: names.filter((name) => readIdentifier(name).joined !== ''), last: atom.last }
}
