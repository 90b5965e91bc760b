import { LATIN, NAME } from '../../../query-constants.ts'
import { englishKey } from '../../../text/english.ts'
import { readIdentifier, splitChunk } from '../../../text/identifiers.ts'
import { encodeSymbols, isOperator, symbolTermsAsWritten } from '../../../text/symbols.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  partsAlternative,
  phrase,
  symbolAlternative,
} from '../terms/alternative.ts'
import type { Atom } from '../terms/atoms.ts'
import type { Reader } from '../terms/reader.ts'
import { synonymsOf } from '../terms/synonyms.ts'
import { oneOf } from '../terms/units.ts'
import { nameGroup } from './name-group.ts'

/** Romaji with an apostrophe after ん: kon'ya. */
const SYLLABIC_N = /^[a-z]*n'[aiueoy][a-z']*$/i
const BRACKETS = /[<>()[\]{}]/
const QUALIFIED = /^[\w$]+(?:(?:::|\.|#|->)[\w$~]+)+(?:\(\))?$/
const FILE =
  /\.(?:json|[cm]?[jt]sx?|astro|vue|svelte|mdx?|html?|css|scss|ya?ml|toml|lock|txt|csv|xml|svg|png|sh|ps1|py|rb|rs|go|java|cs|cpp|h|env|com|org|net|io|dev|jp)$/i
/** Grammar tells a sentence, a message or a question, from a list of keywords. */
const GRAMMAR: ReadonlySet<string> = new Set(
  (
    'a an the is are was be been not of at as to in on for with does do did cannot can could must should by from has have too ' +
    'how what why when where which who i my me we our you your it its this that these those there would will and or but if so'
  ).split(' '),
)

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
    const pages = reader.count(alternative.match)
    if (pages === 0) return []
    const optional = hasNames && isOperator(written)
    return [{ label: written, alternatives: [alternative], parts: [], optional, pages }]
  })
}

/** Tells if an atom has names beside the one that its symbol belongs to. */
function hasFurtherNames(atom: Atom, symbols: readonly Group[]): boolean {
  const names = splitChunk(atom.text).length
  return names > 1 || (names === 1 && symbols.every(({ label }) => isOperator(label)))
}

function sequenceGroups(atoms: readonly Atom[], reader: Reader): Group[] {
  const chunks = atoms.map(readChunk).filter((chunk) => chunk.names.length > 0)
  const names = chunks.flatMap((chunk) => chunk.names).slice(0, LATIN.maxSequence)
  const [only] = names
  if (only === undefined) return []
  if (names.length === 1) return [nameGroup(only, { open: chunks[0]?.last === true }, reader)]
  const joined = names.map((name) => readIdentifier(name).joined)
  const isSentence =
    chunks.length >= LATIN.sentenceWords && (reader.isPasted || joined.some((name) => GRAMMAR.has(name)))
  const whole = namesAlternative(joined, 1, 'word')
  const alternatives: Alternative[] = [whole]
  if (joined.length <= LATIN.maxJoined)
    alternatives.push(...joinedAlternatives(joined, chunks.at(-1)?.last === true, reader))
  const glosses = reader.lexicon.japaneseFor(englishKey(joined.join(' ')))
  const synonyms = synonymsOf(joined.join(''), reader, 0)
  alternatives.push(...glosses.map((japanese) => japaneseAlternative(japanese, LATIN.glossWeight)))
  alternatives.push(...synonyms.alternatives)
  const parts =
    chunks.length > 1 ? wordGroups(chunks, isSentence, reader) : innerGroups(chunks[0], alternatives, reader)
  const unit = [...oneOf(glosses.map((key) => ({ key, weight: LATIN.glossWeight }))), ...synonyms.unit]
  const more = {
    ...(unit.length > 0 ? { units: [unit] } : {}),
    ...(isSentence ? { fragments: fragmentsOf(joined) } : {}),
  }
  return [{ label: joined.join(' '), alternatives, parts, optional: false, pages: 0, ...more }]
}

/** Every few words in a row that are not mostly grammar. */
function fragmentsOf(words: readonly string[]): string[] {
  const rows = words
    .slice(0, 1 - LATIN.fragmentWords || words.length)
    .map((_, at) => words.slice(at, at + LATIN.fragmentWords))
  return rows
    .filter((row) => row.filter((word) => !GRAMMAR.has(word)).length >= LATIN.fragmentWords - 1)
    .map((row) => phrase(row))
    .slice(0, LATIN.maxFragments)
}

/** The words of a sequence. Grammar finds nothing. */
function wordGroups(chunks: readonly Chunk[], isSentence: boolean, reader: Reader): Group[] {
  const words = chunks.filter(({ names }) => !isGrammar(names))
  const named = words.length > 0 ? words : chunks
  const informative = isSentence ? rarest(named, reader) : named
  return informative.flatMap(({ atom, names }) => {
    const [name] = names
    const isPlain = isSentence && names.length === 1 && name !== undefined
    return isPlain ? [nameGroup(name, { open: false, plain: true }, reader)] : sequenceGroups([atom], reader)
  })
}

/** Of a pasted message, the words that tell most: the site has them, though on few pages. In their order. */
function rarest(chunks: readonly Chunk[], { lexicon }: Reader): readonly Chunk[] {
  if (chunks.length <= LATIN.maxInformative) return chunks
  const pagesOf = ({ names }: Chunk): number =>
    Math.max(...names.map((name) => lexicon.find(readIdentifier(name).joined)?.pages ?? 0))
  const counted = chunks.map((chunk) => ({ chunk, pages: pagesOf(chunk) })).filter(({ pages }) => pages > 0)
  const kept = new Set(
    counted
      .toSorted((a, b) => a.pages - b.pages)
      .slice(0, LATIN.maxInformative)
      .map(({ chunk }) => chunk),
  )
  return kept.size === 0 ? chunks.slice(0, LATIN.maxInformative) : chunks.filter((chunk) => kept.has(chunk))
}

/**
 * The names that one chunk joins. Those of a qualified name (`std::vector::push_back`, `Foo.bar`, `a#b`) stand apart on the page about
 * the last of them, so they are looked for apart as well; a path or file name is one thing where the site has it.
 */
function innerGroups(
  chunk: Chunk | undefined,
  alternatives: readonly Alternative[],
  reader: Reader,
): Group[] {
  if (chunk === undefined) return []
  const { text } = chunk.atom
  const isQualified = qualifiedNames(text) !== null
  const isOneThing = !BRACKETS.test(text) && !isQualified
  if (isOneThing && alternatives.some(({ match }) => match !== '' && reader.exists(match))) return []
  const names = chunk.names.filter((name) => name.length > 1)
  return names.map((name, at) =>
    nameGroup(name, { open: chunk.last && at === names.length - 1, plain: at < names.length - 1 }, reader),
  )
}

/** The names of a qualified name, outermost first, in the form that `readIdentifier` joins; null for anything else. */
export function qualifiedNames(text: string): string[] | null {
  if (!QUALIFIED.test(text) || FILE.test(text)) return null
  const names = splitChunk(text).map((name) => readIdentifier(name).joined)
  return names.length > 1 ? names : null
}

const isGrammar = (names: readonly string[]): boolean =>
  names.every((name) => GRAMMAR.has(name.toLowerCase()))

/** One name of the words, also an unfinished one: the last word of `error bound` may be a word of its own. */
function joinedAlternatives(names: readonly string[], open: boolean, { lexicon }: Reader): Alternative[] {
  const joined = names.join('')
  const known = lexicon.find(joined) === null ? [] : [namesAlternative([joined], 1, 'word')]
  const unfinished =
    open && known.length === 0 ? lexicon.withPrefix(joined).slice(0, NAME.maxCompletions) : []
  const completed = unfinished.map(({ key }) => namesAlternative([key], 0.9, 'word'))
  return [...known, ...completed, partsAlternative(names, 0.9)]
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
