import { englishKey } from '../text/english.ts'
import { readIdentifier, splitChunk } from '../text/identifiers.ts'
import { encodeSymbols, symbolTermsAsWritten } from '../text/symbols.ts'
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
    if (splitChunk(atom.text).length > 1) groups.push(...sequenceGroups([atom], reader))
  }
  return [...groups, ...sequenceGroups(sequence, reader)]
}

function symbolGroups(atom: Atom, reader: Reader): Group[] {
  return symbolTermsAsWritten(atom.text).flatMap((written): Group[] => {
    const alternative = symbolAlternative(encodeSymbols(written), written, 1)
    if (!reader.exists(alternative.match)) return []
    return [{ label: written, alternatives: [alternative], parts: [], optional: false, pages: 0 }]
  })
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
  if (chunks.length > 1) alternatives.push(...nearAlternatives(joined, isMessage))
  for (const japanese of reader.lexicon.japaneseFor(englishKey(joined.join(' ')))) {
    alternatives.push(japaneseAlternative(japanese, GLOSS_WEIGHT))
  }
  const parts =
    chunks.length === 1 || isMessage ? [] : chunks.flatMap((chunk) => sequenceGroups([chunk.atom], reader))
  return [{ label: joined.join(' '), alternatives, parts, optional: false, pages: 0 }]
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

/** Words near each other; of a message, which changes from version to version, all but one will do. */
function nearAlternatives(words: readonly string[], isMessage: boolean): Alternative[] {
  const names = [...new Set(words)].slice(0, MAX_NEAR)
  if (names.length < MIN_NEAR) return []
  const window = names.length * 2 + 6
  const all = nearAlternative(names, window, 0.9)
  if (!isMessage) return [all]
  return [all, ...names.map((_, left) => nearAlternative(names.toSpliced(left, 1), window, 0.7))]
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
