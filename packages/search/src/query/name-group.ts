import { englishKey, numberVariants } from '../text/english.ts'
import { readIdentifier } from '../text/identifiers.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  namesAlternative,
  partsAlternative,
} from './alternative.ts'
import { readGroup } from './kana-groups.ts'
import { type LexiconWord, prominence } from './lexicon.ts'
import type { Reader } from './reader.ts'
import { readRomaji, repairRomaji } from './romaji.ts'

const GLOSS_WEIGHT = 0.8
const MAX_COMPLETIONS = 6
const MAX_JOINED_PARTS = 4
const MIN_PREFIX = 2
const MUCH_MORE_COMMON = 5
const FEW_PAGES = 3

/** Reads one name or word in Latin letters: as typed, unfinished, in Japanese, in romaji, or misspelled. */
export function nameGroup(name: string, open: boolean, reader: Reader): Group {
  const { joined, parts } = readIdentifier(name)
  const known = reader.lexicon.find(joined)
  const literal = literalAlternatives(joined, parts, reader)
  const pages = known?.pages ?? 0
  const group = (more: readonly Alternative[], expected = pages): Group => ({
    label: name,
    alternatives: [...literal, ...more],
    parts: [],
    optional: false,
    pages: expected,
  })
  const read = pages < FEW_PAGES ? readRomaji(name.toLowerCase(), reader.lexicon, open) : null
  const romaji = read?.parts.map((part) => readGroup(part, [])) ?? []
  const glosses = reader.lexicon
    .japaneseFor(englishKey(name))
    .map((term) => japaneseAlternative(term, GLOSS_WEIGHT))
  const completions = open && joined.length >= MIN_PREFIX ? completionsOf(joined, known, reader) : []
  if (romaji.length > 0) {
    if (read?.isGuess && pages === 0) reader.guesses.push(name)
    const [only] = romaji
    if (romaji.length > 1 || only === undefined)
      return { ...group([]), parts: romaji, pages: fewestPages(romaji) }
    return group([...only.alternatives, ...completions], only.pages)
  }
  if (glosses.length + completions.length > 0 || pages >= FEW_PAGES || hasPhrase(literal, reader)) {
    return group([...glosses, ...completions])
  }
  return group(correctionsOf(name, joined, reader))
}

function literalAlternatives(joined: string, parts: readonly string[], reader: Reader): Alternative[] {
  const whole = namesAlternative([joined], 1, 'word')
  if (parts.length > 1) {
    const joins = adjacentJoins(parts, reader).map((names) => namesAlternative(names, 0.85, 'none'))
    return [whole, partsAlternative(parts, 0.9), ...joins]
  }
  const variants = numberVariants(joined).filter((variant) => reader.lexicon.find(variant) !== null)
  const inside = joined.length > 3 ? [namesAlternative([joined], 0.6, 'none')] : []
  return [whole, ...variants.map((variant) => namesAlternative([variant], 0.9, 'word')), ...inside]
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

function correctionsOf(name: string, joined: string, reader: Reader): Alternative[] {
  const suggestions = reader.findSimilar(joined)
  const [best] = suggestions
  if (best === undefined) return romajiCorrections(name, reader)
  reader.corrections.push({ from: name, to: reader.lexicon.find(best.key)?.display ?? best.key })
  return suggestions.map((suggestion, at) => namesAlternative([suggestion.key], 0.8 - at * 0.2, 'word'))
}

function romajiCorrections(name: string, reader: Reader): Alternative[] {
  const word = repairRomaji(name.toLowerCase(), reader.lexicon)
  if (word === null) return []
  reader.corrections.push({ from: name, to: word.display })
  return [japaneseAlternative(word.key, 0.8)]
}

function fewestPages(groups: readonly Group[]): number {
  return Math.min(...groups.map((group) => group.pages))
}

function hasPhrase(alternatives: readonly Alternative[], reader: Reader): boolean {
  return (
    alternatives.length > 2 && alternatives.slice(1).some((alternative) => reader.exists(alternative.match))
  )
}
