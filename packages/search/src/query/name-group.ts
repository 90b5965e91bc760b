import { englishKey, englishStem } from '../text/english.ts'
import { readIdentifier } from '../text/identifiers.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  partsAlternative,
  type Unit,
} from './alternative.ts'
import { readGroup } from './kana-groups.ts'
import { type LexiconWord, prominence } from './lexicon.ts'
import { namesPattern } from './patterns.ts'
import type { Reader } from './reader.ts'
import { type ReadRomaji, readRomaji, repairRomaji } from './romaji.ts'
import { synonymsOf } from './synonyms.ts'
import { nameUnit, oneOf, tellingWeight } from './units.ts'

const GLOSS_WEIGHT = 0.8
/** On a Japanese site, who asks in English is answered by the Japanese word rather than by a name in code. */
const JAPANESE_WEIGHT = 1.2
const PART_WEIGHT = 0.5
const MAX_COMPLETIONS = 6
const MAX_JOINED_PARTS = 4
/** A name that the site writes this often is not asked for in Japanese. */
const COMMON_PAGES = 250
const NUMBER_WEIGHT = 0.1
/** In a message, what only its program writes (E0277, NG02200, ERR_REQUIRE_ESM, docker.sock) tells more than its words. */
const CODE = /^(?=.*\d)(?=.*[A-Za-z])|^[A-Z]+_[A-Z_]+$/
const CODE_WEIGHT = 3
const MAX_FORMS = 2
const NUMERONYM = /^([a-z])(\d{1,2})([a-z])$/
/** p2p and b2b are names of their own. */
const MIN_LEFT_OUT = 5
const FULL_WEIGHT = 0.9
const MIN_PREFIX = 2
const MUCH_MORE_COMMON = 5
const FEW_PAGES = 3
const MAX_ROMAJI_WORDS = 2

/** How one name is read. */
export interface NameReading {
  /** Whether it is the end of the query and may go on. */
  readonly open: boolean
  /** Whether it stands in an English sentence: then it is neither romaji nor under way. */
  readonly plain?: boolean
}

/** Reads one name or word in Latin letters: as typed, unfinished, in Japanese, in romaji, or misspelled. */
export function nameGroup(name: string, { open, plain = false }: NameReading, reader: Reader): Group {
  const { joined, parts } = readIdentifier(name)
  const known = reader.lexicon.find(joined)
  const literal = literalAlternatives(joined, parts, reader)
  const pages = known?.pages ?? 0
  const full = pages < FEW_PAGES ? numeronym(joined, reader) : null
  const glosses = pages > COMMON_PAGES ? [] : reader.lexicon.japaneseFor(englishKey(full ?? name))
  const synonyms = synonymsOf(full ?? joined, reader, pages)
  if (full !== null) literal.push(namesAlternative([full], FULL_WEIGHT, 'word'))
  const units = /^\d+$/.test(joined)
    ? []
    : [
        [
          ...nameUnit(joined),
          ...(full === null ? [] : nameUnit(full, FULL_WEIGHT)),
          ...oneOf(glosses.map((key) => ({ key, weight: JAPANESE_WEIGHT }))),
          ...synonyms.unit.map(({ term, weight }) => ({ term, weight: weight * JAPANESE_WEIGHT })),
        ],
        ...parts.map((part) => nameUnit(part, PART_WEIGHT)),
      ]
  const group = (more: readonly Alternative[], expected = pages): Group => ({
    label: name,
    alternatives: [...literal, ...more],
    parts: [],
    optional: false,
    pages: expected,
    weight: nameWeight(name, known) * (plain && CODE.test(name) ? CODE_WEIGHT : 1),
    units,
  })
  const others = [...glosses.map((term) => japaneseAlternative(term, GLOSS_WEIGHT)), ...synonyms.alternatives]
  if (plain) return group(others)
  const completions = open && joined.length >= MIN_PREFIX ? completionsOf(joined, known, reader) : []
  const read = pages < FEW_PAGES ? readRomaji(name.toLowerCase(), reader.lexicon, open) : null
  const isMisspelled = read !== null && isFarFetched(read) && reader.findSimilar(joined).length > 0
  const romaji = isMisspelled ? [] : (read?.parts.map((part) => readGroup(part, [])) ?? [])
  if (romaji.length > 0 && !(completions.length > 0 && (romaji.length > 1 || read?.isGuess))) {
    if (read?.isGuess && pages === 0) reader.guesses.push(name)
    const [only] = romaji
    if (romaji.length > 1 || only === undefined)
      return { ...group([]), units: [], parts: romaji, pages: fewestPages(romaji) }
    const asRomaji = group([...only.alternatives, ...completions], only.pages)
    return { ...asRomaji, units: [[...units.flat(), ...(only.units?.flat() ?? [])]] }
  }
  if (others.length + completions.length > 0 || pages >= FEW_PAGES || hasPhrase(literal, reader)) {
    return group([...others, ...completions])
  }
  const corrected = correctionsOf(name, joined, reader)
  const [own = [], ...rest] = units
  return { ...group(corrected.alternatives), units: [[...own, ...corrected.unit], ...rest] }
}

/** The site's commonest word that is abbreviated so: observability for o11y. */
function numeronym(joined: string, { lexicon }: Reader): string | null {
  const [, first = '', letters = '', last = ''] = NUMERONYM.exec(joined) ?? []
  if (Number(letters) < MIN_LEFT_OUT) return null
  const words = lexicon.withLettersBetween(first, Number(letters), last)
  return (
    words.find(({ key, display }) => /^[a-z]+$/.test(key) && readIdentifier(display).parts.length === 0)
      ?.key ?? null
  )
}

/** Most misspelled English (authentification) spells some row of short words. */
const isFarFetched = ({ parts, isGuess }: ReadRomaji): boolean => isGuess || parts.length > MAX_ROMAJI_WORDS

function nameWeight(name: string, known: LexiconWord | null): number {
  if (/^\d+$/.test(name)) return NUMBER_WEIGHT
  return known === null ? 1 : tellingWeight(known)
}

/** A name in any style: useState, use_state, use-state. */
function joinedAlternative(joined: string, parts: readonly string[], weight: number): Alternative {
  const { match } = namesAlternative([joined], weight, 'word')
  return { match, pattern: namesPattern(parts.length > 0 ? parts : [joined], 'word'), weight }
}

function literalAlternatives(joined: string, parts: readonly string[], reader: Reader): Alternative[] {
  const whole = joinedAlternative(joined, parts, 1)
  if (parts.length > 1) {
    const joins = adjacentJoins(parts, reader).map((names) => namesAlternative(names, 0.85, 'none'))
    return [whole, partsAlternative(parts, 0.9), ...joins]
  }
  const variants = formsOf(joined, reader)
  const inside = joined.length > 3 ? [namesAlternative([joined], 0.6, 'none')] : []
  return [whole, ...variants.map((variant) => namesAlternative([variant], 0.9, 'word')), ...inside]
}

/** Other forms of an English word that the site has: restore for restoring. */
function formsOf(joined: string, { lexicon }: Reader): string[] {
  const stem = englishStem(joined)
  const words = stem === '' ? [] : lexicon.readLooselyAs(stem)
  return words
    .map(({ key }) => key)
    .filter((key) => key !== joined)
    .slice(0, MAX_FORMS)
}

/** The ways to join neighbouring parts into words of the site: windows power shell → windows powershell. */
function adjacentJoins(parts: readonly string[], { lexicon }: Reader): string[][] {
  if (parts.length > MAX_JOINED_PARTS) return [[...parts]]
  const glues = Array.from({ length: 2 ** (parts.length - 1) - 1 }, (_, glue) => glue)
  const joins = glues.map((glue) => joinParts(parts, (at) => ((glue >> at) & 1) === 1))
  return joins.filter((names, at) => at === 0 || names.every((name) => lexicon.find(name) !== null))
}

function joinParts(parts: readonly string[], isGlued: (boundary: number) => boolean): string[] {
  const names: string[] = []
  parts.forEach((part, at) => {
    if (at > 0 && isGlued(at - 1)) names.push((names.pop() ?? '') + part)
    else names.push(part)
  })
  return names
}

/** Words that start so, unless what is typed is a word itself and at least as common. */
function completionsOf(joined: string, known: LexiconWord | null, { lexicon }: Reader): Alternative[] {
  const words = lexicon.withPrefix(joined).slice(0, MAX_COMPLETIONS)
  const most = Math.max(1, ...words.map(prominence))
  if (known !== null && prominence(known) * MUCH_MORE_COMMON > most) return []
  const weight = known === null ? 0.9 : 0.5
  return words.map((word) =>
    namesAlternative([word.key], weight * (0.5 + (0.5 * prominence(word)) / most), 'word'),
  )
}

/** What a misspelled name may have meant; says so to the reader of the query. */
function correctionsOf(
  name: string,
  joined: string,
  reader: Reader,
): { alternatives: readonly Alternative[]; unit: Unit } {
  const suggestions = reader.findSimilar(joined)
  const [best] = suggestions
  if (best === undefined) {
    const word = repairRomaji(name.toLowerCase(), reader.lexicon)
    if (word === null) return { alternatives: [], unit: [] }
    reader.corrections.push({ from: name, to: word.display })
    return {
      alternatives: [japaneseAlternative(word.key, 0.8)],
      unit: oneOf([{ key: word.key, weight: 0.8 }]),
    }
  }
  reader.corrections.push({ from: name, to: reader.lexicon.find(best.key)?.display ?? best.key })
  const words = suggestions.map(({ key }, at) => ({ key, weight: 0.8 - at * 0.2 }))
  return {
    alternatives: words.map(({ key, weight }) => {
      const { parts } = readIdentifier(reader.lexicon.find(key)?.display ?? key)
      return joinedAlternative(key, parts, weight)
    }),
    unit: oneOf(words),
  }
}

function fewestPages(groups: readonly Group[]): number {
  return Math.min(...groups.map((group) => group.pages))
}

function hasPhrase(alternatives: readonly Alternative[], reader: Reader): boolean {
  return (
    alternatives.length > 2 && alternatives.slice(1).some((alternative) => reader.exists(alternative.match))
  )
}
