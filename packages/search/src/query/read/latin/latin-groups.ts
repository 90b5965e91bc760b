import { LATIN, NAME } from '../../../query-constants.ts'
import { englishKey } from '../../../text/english.ts'
import { readIdentifier, splitChunk } from '../../../text/identifiers.ts'
import { encodeSymbols, isOperator, symbolTermsAsWritten } from '../../../text/symbols.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  nearAlternative,
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
/** Words that ask and tell nothing, beside grammar. */
const FRAME: ReadonlySet<string> = new Set('way best use using want need get make'.split(' '))

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
  const alternatives: Alternative[] = [whole, ...splitAlternatives(names)]
  if (joined.length <= LATIN.maxJoined)
    alternatives.push(...joinedAlternatives(joined, chunks.at(-1)?.last === true, reader))
  if (chunks.length > 1) alternatives.push(...nearAlternatives(joined))
  const glosses = reader.lexicon.japaneseFor(englishKey(joined.join(' ')))
  const synonyms = synonymsOf(joined.join(''), reader, 0)
  alternatives.push(...glosses.map((japanese) => japaneseAlternative(japanese, LATIN.glossWeight)))
  alternatives.push(...synonyms.alternatives)
  const parts =
    chunks.length > 1
      ? wordGroups(chunks, isSentence, reader)
      : innerGroups(chunks[0], alternatives, reader, () => correctedAlternatives(names, joined, reader))
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

/** The words of a sequence, those together that are one term of the site (state management). Grammar finds nothing. */
function wordGroups(chunks: readonly Chunk[], isSentence: boolean, reader: Reader): Group[] {
  const words = chunks.filter(({ names }) => !isGrammar(names))
  const named = words.length > 0 ? words : chunks
  const informative = isSentence ? rarest(named, reader) : named
  const groups: Group[] = []
  for (let at = 0; at < informative.length; ) {
    const term = termGroup(informative.slice(at, at + 2), reader)
    if (term !== null) groups.push(term)
    const taken = term === null ? informative.slice(at, at + 1) : []
    for (const { atom, names } of taken) {
      const [name] = names
      const plain = isSentence && names.length === 1 && name !== undefined
      groups.push(
        ...(plain ? [nameGroup(name, { open: false, plain }, reader)] : sequenceGroups([atom], reader)),
      )
    }
    at += term === null ? 1 : 2
  }
  return groups
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

/** Two words that the site or the dictionary has one Japanese word for; null for others. */
function termGroup(pair: readonly Chunk[], reader: Reader): Group | null {
  const names = pair.flatMap((chunk) => chunk.names).map((name) => readIdentifier(name).joined)
  if (pair.length < 2 || names.length !== 2) return null
  const glosses = reader.lexicon.japaneseFor(englishKey(names.join(' ')))
  if (glosses.length === 0) return null
  const parts = names.map((name) => nameGroup(name, { open: false, plain: true }, reader))
  const unit = oneOf(glosses.map((key) => ({ key, weight: 1 })))
  return {
    label: names.join(' '),
    alternatives: [
      namesAlternative(names, 1, 'word'),
      ...glosses.map((key) => japaneseAlternative(key, LATIN.glossWeight)),
    ],
    parts,
    optional: false,
    pages: 0,
    units: [unit],
  }
}

/**
 * The names that one chunk joins. Those of a qualified name (`std::vector::push_back`, `Foo.bar`, `a#b`) stand apart on the page about
 * the last of them, so they are looked for apart as well; a path or file name is one thing where the site has it.
 */
function innerGroups(
  chunk: Chunk | undefined,
  alternatives: Alternative[],
  reader: Reader,
  corrected: () => Alternative[],
): Group[] {
  if (chunk === undefined) return []
  const { text } = chunk.atom
  const isQualified = qualifiedNames(text) !== null
  if (!BRACKETS.test(text) && !isQualified) {
    if (alternatives.some(({ match }) => match !== '' && reader.exists(match))) return []
    const mended = corrected()
    alternatives.push(...mended)
    if (mended.length > 0) return []
  }
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
  names.every((name) => GRAMMAR.has(name.toLowerCase()) || FRAME.has(name.toLowerCase()))

/** `ASP.NETCore` as the words it was glued from. */
function splitAlternatives(names: readonly string[]): Alternative[] {
  const flat = names.flatMap((name) => {
    const { joined, parts } = readIdentifier(name)
    return parts.length > 1 ? parts : [joined]
  })
  return flat.length > names.length && flat.length <= LATIN.maxSequence
    ? [namesAlternative(flat, 0.9, 'none')]
    : []
}

/** One name of the words, also an unfinished one: the last word of `error bound` may be a word of its own. */
function joinedAlternatives(names: readonly string[], open: boolean, { lexicon }: Reader): Alternative[] {
  const joined = names.join('')
  const known = lexicon.find(joined) === null ? [] : [namesAlternative([joined], 1, 'word')]
  const unfinished =
    open && known.length === 0 ? lexicon.withPrefix(joined).slice(0, NAME.maxCompletions) : []
  const completed = unfinished.map(({ key }) => namesAlternative([key], 0.9, 'word'))
  return [...known, ...completed, partsAlternative(names, 0.9)]
}

/** A path or file name with misspelled names in it (pakcage.json), if it is nowhere as typed. */
function correctedAlternatives(
  names: readonly string[],
  joined: readonly string[],
  reader: Reader,
): Alternative[] {
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

/** Words near each other, in any order. */
function nearAlternatives(words: readonly string[]): Alternative[] {
  const names = [...new Set(words)].slice(0, LATIN.maxNear)
  if (names.length < LATIN.minNear) return []
  const window = names.length * 2 + 6
  return [nearAlternative(names, window, 0.9)]
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
