import { PLAN } from '../../query-constants.ts'
import { readIdentifier, splitChunk } from '../../text/identifiers.ts'
import { foldKatakana } from '../../text/kana.ts'
import { normaliseWidth } from '../../text/normalise.ts'
import { wordsOf } from './expression.ts'
import { japaneseGroups } from './japanese/japanese-groups.ts'
import { latinGroups, qualifiedNames } from './latin/latin-groups.ts'
import type { Group } from './terms/alternative.ts'
import { type Atom, readAtoms } from './terms/atoms.ts'
import { japanesePattern, namesPattern } from './terms/patterns.ts'
import type { Correction, Reader } from './terms/reader.ts'
import { synonymsOf } from './terms/synonyms.ts'

/** Search plan of a query. */
export interface Plan {
  readonly groups: readonly Group[]
  /** Pattern source for the query as one stretch of text. */
  readonly whole: string
  /** Pattern source for a row of a table whose first cell is the query; empty for one word, with which tables of anything begin. */
  readonly row: string
  readonly corrections: readonly Correction[]
  /** A part was read in a way that would match anything. */
  readonly isGuess: boolean
  /** The names of a qualified name, outermost first, or of a query that may be one name: references give each its own page. */
  readonly qualified: readonly string[]
  /** The query is so long that no page needs to have all of it. */
  readonly isQuestion: boolean
}

/** Reads a query into groups of alternatives. */
export function planQuery(query: string, reader: Reader): Plan {
  const atoms = readAtoms(normalQuery(query))
  const groups: Group[] = []
  let latin: Atom[] = []
  for (const atom of atoms.slice(0, PLAN.maxAtoms)) {
    if (atom.kind === 'latin') {
      latin.push(atom)
      continue
    }
    groups.push(...latinGroups(latin, reader), ...japaneseGroups(atom, reader))
    latin = []
  }
  groups.push(...latinGroups(latin, reader))
  const informative = wordsOf(groups).filter(
    (group) => !group.optional && (group.weight ?? 1) > PLAN.minInformative,
  )
  const whole = wholePattern(atoms, reader.corrections)
  return {
    isQuestion:
      informative.length >= PLAN.questionGroups && informative.every(({ units }) => units !== undefined),
    groups: requireFew(withSynonyms(query, distinct(groups), reader)),
    qualified: namesOf(atoms),
    whole,
    row: atoms.length > 1 && whole !== '' ? `^(?:${whole})\\t` : '',
    corrections: reader.corrections,
    isGuess: reader.guesses.length > 0,
  }
}

/** A query in the widths that text is compared in. */
export const normalQuery = (query: string): string => normaliseWidth(query).trim()

/** The names of a qualified name, or the one name that a query is, also with spaces in it (scoped enum). */
function namesOf(atoms: readonly Atom[]): string[] {
  const names = atoms.flatMap(({ text }) => qualifiedNames(text) ?? [])
  if (names.length > 0 || atoms.some(({ kind }) => kind !== 'latin')) return names
  const name = atoms
    .flatMap(({ text }) => splitChunk(text))
    .map((chunk) => readIdentifier(chunk).joined)
    .join('')
  return name === '' ? [] : [name]
}

/** Several words may be another word together (IP制限, 2段階認証), which none of them is. */
function withSynonyms(query: string, groups: readonly Group[], reader: Reader): readonly Group[] {
  if (groups.length < 2) return groups
  const key = foldKatakana(normalQuery(query).toLowerCase().replaceAll(' ', ''))
  const { alternatives, unit } = synonymsOf(key, reader, 0)
  if (unit.length === 0) return groups
  return [{ label: key, alternatives, parts: groups, optional: false, pages: 0, units: [unit] }]
}

function distinct(groups: readonly Group[]): Group[] {
  return [...new Map(groups.map((group) => [group.label, group])).values()]
}

/**
 * The rarest groups decide which pages are looked at, the others only how they rank: more would cost time and
 * find no other page. A single character beside words decides nothing, and a query of nothing but asking
 * words means them.
 */
function requireFew(groups: readonly Group[]): readonly Group[] {
  const words = groups.filter((group) => !group.optional && Array.from(group.label).length > 1)
  const deciding = words.length > 0 ? words : groups
  const rarest = deciding
    .toSorted((a, b) => (a.pages || PLAN.rare) - (b.pages || PLAN.rare))
    .slice(0, PLAN.maxRequired)
  const required = new Set(rarest)
  return groups.map((group) => ({
    ...group,
    optional: !required.has(group),
    parts: group.parts.length > 0 ? requireFew(group.parts) : [],
  }))
}

/** The query as one stretch of text, as it was typed and as it was corrected. */
function wholePattern(atoms: readonly Atom[], corrections: readonly Correction[]): string {
  const typed = joinPatterns(atoms)
  if (typed === '' || corrections.length === 0) return typed
  const text = atoms.map((atom) => (atom.spaced ? ` ${atom.text}` : atom.text)).join('')
  const corrected = joinPatterns(readAtoms(correct(text, corrections).trim()))
  return corrected === '' ? typed : `(?:${typed})|(?:${corrected})`
}

const joinPatterns = (atoms: readonly Atom[]): string => atoms.map(atomPattern).filter(Boolean).join('\\s*')

/** A query with its misspelled words replaced. */
export function correct(query: string, corrections: readonly Correction[]): string {
  return corrections.reduce(
    (text, { from, to }) => (text.includes(from) ? text.replace(from, () => to) : to),
    query,
  )
}

function atomPattern(atom: Atom): string {
  if (atom.kind === 'japanese') return japanesePattern(foldKatakana(atom.text))
  const names = splitChunk(atom.text).flatMap((name) => {
    const { joined, parts } = readIdentifier(name)
    return parts.length > 0 ? parts : [joined]
  })
  return names.length > 0 ? namesPattern(names, 'none') : ''
}
