import { isHiragana } from '../text/characters.ts'
import { readIdentifier, splitChunk } from '../text/identifiers.ts'
import { foldKatakana } from '../text/kana.ts'
import { normaliseWidth } from '../text/normalise.ts'
import type { Group } from './alternative.ts'
import { type Atom, readAtoms } from './atoms.ts'
import { japaneseGroups } from './japanese-groups.ts'
import { latinGroups } from './latin-groups.ts'
import { japanesePattern, namesPattern } from './patterns.ts'
import type { Correction, Reader } from './reader.ts'

/** What to look for. */
export interface Plan {
  readonly groups: readonly Group[]
  /** Pattern source for the query as one stretch of text. */
  readonly whole: string
  readonly corrections: readonly Correction[]
  /** Whether a part was read in a way that would find something for anything. */
  readonly isGuess: boolean
}

/** Longer queries are read up to here: no one types more, and work stays bounded. */
const MAX_CHARACTERS = 100
const MAX_REQUIRED = 4
/** Expected pages of a group that the lexicon does not know. */
const RARE = 20
const MIN_KANA_WORD = 3
const MAX_ATOMS = 12

/** Reads a query into groups of alternatives. */
export function planQuery(query: string, reader: Reader): Plan {
  const atoms = withoutParticles(readAtoms(boundedQuery(query)))
  const groups: Group[] = []
  let latin: Atom[] = []
  for (const atom of atoms.slice(0, MAX_ATOMS)) {
    if (atom.kind === 'latin') {
      latin.push(atom)
      continue
    }
    groups.push(...latinGroups(latin, reader), ...japaneseGroups(atom, reader))
    latin = []
  }
  groups.push(...latinGroups(latin, reader))
  return {
    groups: requireFew(distinct(groups)),
    whole: atoms.map(atomPattern).filter(Boolean).join('\\s*'),
    corrections: reader.corrections,
    isGuess: reader.guesses.length > 0,
  }
}

/** The part of a query that is read. */
export function boundedQuery(query: string): string {
  return Array.from(normaliseWidth(query.slice(0, MAX_CHARACTERS * 4)).trim())
    .slice(0, MAX_CHARACTERS)
    .join('')
}

function distinct(groups: readonly Group[]): Group[] {
  return [...new Map(groups.map((group) => [group.label, group])).values()]
}

/** Kana between other words (useEffect が 2 回) are grammar; a query of kana alone is not. */
function withoutParticles(atoms: readonly Atom[]): readonly Atom[] {
  const words = atoms.filter((atom) => !(isHiragana(atom.text) && atom.text.length < MIN_KANA_WORD))
  return words.length > 0 ? words : atoms
}

/**
 * The rarest groups decide which pages are looked at, the others only how they rank: more would cost time and
 * find no other page. A single character beside words decides nothing, and a query of nothing but asking
 * words means them.
 */
function requireFew(groups: readonly Group[]): readonly Group[] {
  const words = groups.filter((group) => !group.optional && Array.from(group.label).length > 1)
  const deciding = words.length > 0 ? words : groups
  const rarest = deciding.toSorted((a, b) => (a.pages || RARE) - (b.pages || RARE)).slice(0, MAX_REQUIRED)
  const required = new Set(rarest)
  return groups.map((group) => ({
    ...group,
    optional: !required.has(group),
    parts: group.parts.length > 0 ? requireFew(group.parts) : [],
  }))
}

function atomPattern(atom: Atom): string {
  if (atom.kind === 'japanese') return japanesePattern(foldKatakana(atom.text))
  const names = splitChunk(atom.text).map((name) => readIdentifier(name).joined)
  return names.length > 0 ? namesPattern(names, 'none') : ''
}
