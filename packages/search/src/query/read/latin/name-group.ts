import { NAME } from '../../../query-constants.ts'
import { englishKey, englishStem } from '../../../text/english.ts'
import { readIdentifier } from '../../../text/identifiers.ts'
import { readGroup } from '../japanese/kana-groups.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  partsAlternative,
  type Unit,
} from '../terms/alternative.ts'
import { namesPattern } from '../terms/patterns.ts'
import type { Reader } from '../terms/reader.ts'
import { synonymsOf } from '../terms/synonyms.ts'
import { informativeness, nameUnit, oneOf } from '../terms/units.ts'
import { type LexiconWord, prominence } from '../words/lexicon.ts'
import { type ReadRomaji, readRomaji } from './romaji.ts'

/** Reading of one name. */
interface NameReading {
  /** It ends the query and may be unfinished. */
  readonly open: boolean
  /** It belongs to an English sentence: neither romaji nor unfinished. */
  readonly plain?: boolean
}

/** Reads one name or word in Latin letters: as typed, unfinished, in Japanese, in romaji, or misspelled. */
export function nameGroup(name: string, { open, plain = false }: NameReading, reader: Reader): Group {
  const { joined, parts } = readIdentifier(name)
  const known = reader.lexicon.find(joined)
  const literal = literalAlternatives(joined, parts, reader)
  const pages = known?.pages ?? 0
  const glosses = pages > NAME.commonPages ? [] : reader.lexicon.japaneseFor(englishKey(name))
  const synonyms = synonymsOf(joined, reader, pages)
  const units = /^\d+$/.test(joined)
    ? []
    : [
        [
          ...nameUnit(joined),
          ...oneOf(glosses.map((key) => ({ key, weight: NAME.japaneseWeight }))),
          ...synonyms.unit.map(({ term, weight }) => ({ term, weight: weight * NAME.japaneseWeight })),
        ],
        ...parts.map((part) => nameUnit(part, NAME.partWeight)),
      ]
  const group = (more: readonly Alternative[], expected = pages): Group => ({
    label: name,
    alternatives: [...literal, ...more],
    parts: [],
    optional: false,
    pages: expected,
    weight: nameWeight(name, known),
    units,
  })
  const others = [
    ...glosses.map((term) => japaneseAlternative(term, NAME.glossWeight)),
    ...synonyms.alternatives,
  ]
  if (plain) return group(others)
  const completions = open && joined.length >= NAME.minPrefix ? completionsOf(joined, known, reader) : []
  const read = pages < NAME.fewPages ? readRomaji(name.toLowerCase(), reader.lexicon, open) : null
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
  if (others.length + completions.length > 0 || pages >= NAME.fewPages || hasPhrase(literal, reader)) {
    return group([...others, ...completions])
  }
  const corrected = correctionsOf(name, joined, reader)
  const [own = [], ...rest] = units
  return { ...group(corrected.alternatives), units: [[...own, ...corrected.unit], ...rest] }
}

/** Most misspelled English (authentification) spells some row of short words. */
const isFarFetched = ({ parts, isGuess }: ReadRomaji): boolean =>
  isGuess || parts.length > NAME.maxRomajiWords

function nameWeight(name: string, known: LexiconWord | null): number {
  if (/^\d+$/.test(name)) return NAME.numberWeight
  return known === null ? 1 : informativeness(known)
}

/** A name in any style: useState, use_state, use-state. */
function joinedAlternative(joined: string, parts: readonly string[], weight: number): Alternative {
  const { match } = namesAlternative([joined], weight, 'word')
  return { match, pattern: namesPattern(parts.length > 0 ? parts : [joined], 'word'), weight }
}

function literalAlternatives(joined: string, parts: readonly string[], reader: Reader): Alternative[] {
  const whole = joinedAlternative(joined, parts, 1)
  if (parts.length > 1) return [whole, partsAlternative(parts, 0.9), namesAlternative(parts, 0.85, 'none')]
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
    .slice(0, NAME.maxForms)
}

/** Words that start so, unless what is typed is a word itself and at least as common. */
function completionsOf(joined: string, known: LexiconWord | null, { lexicon }: Reader): Alternative[] {
  const words = lexicon.withPrefix(joined).slice(0, NAME.maxCompletions)
  const most = Math.max(1, ...words.map(prominence))
  if (known !== null && prominence(known) * NAME.muchMoreCommon > most) return []
  const weight = known === null ? 0.9 : 0.5
  return words.map((word) =>
    namesAlternative([word.key], weight * (0.5 + (0.5 * prominence(word)) / most), 'word'),
  )
}

/** Corrections of a misspelled name; reports them for the reader. */
function correctionsOf(
  name: string,
  joined: string,
  reader: Reader,
): { alternatives: readonly Alternative[]; unit: Unit } {
  const suggestions = reader.findSimilar(joined)
  const [best] = suggestions
  if (best === undefined) return { alternatives: [], unit: [] }
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
