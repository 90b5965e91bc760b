import type { MarkedRange } from '@sekisho/contract/search-response'
import { MATCHER } from '../../query-constants.ts'
import type { Alternative, Group } from '../read/terms/alternative.ts'

/** Tells how well texts contain a group. */
export interface Matcher {
  readonly label: string
  /** Share of the query's weight; the required and optional groups together have 1. */
  readonly share: number
  /** From 0 (absent) to 1 (as typed). */
  readonly evaluate: (text: string) => number
  /** Matches of any alternative in a text, up to `most`. */
  readonly find: (text: string, most: number) => MarkedRange[]
}

interface Tester {
  readonly weight: number
  readonly pattern: RegExp
}

const NOTHING = '(?!)'

/** Compiles the groups once for a query. Rarer groups weigh more. */
export function createMatchers(groups: readonly Group[], pages: number): Matcher[] {
  const weights = groups.map(
    (group) => rarity(group, pages) * (group.weight ?? 1) * (group.optional ? MATCHER.optionalWeight : 1),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return groups.map((group, at) => ({
    label: group.label,
    share: (weights[at] ?? 0) / total,
    evaluate: createEvaluate(group, pages),
    find: createFind(sources(group, isShown), sources(group, isTyped)),
  }))
}

/** @param typed those of the patterns that are no other word for what was typed */
function createFind(patterns: readonly string[], typed: readonly string[]): Matcher['find'] {
  const any = compileAny(patterns)
  const own = typed.length === patterns.length ? null : compileAny(typed)
  const isTypedAt = (text: string, at: number): boolean => {
    if (own === null) return true
    own.lastIndex = at
    return own.exec(text)?.index === at
  }
  return (text, most) => {
    const places: MarkedRange[] = []
    any.lastIndex = 0
    while (places.length < most) {
      const found = any.exec(text)
      if (found === null || found[0] === '') break
      const place = [found.index, any.lastIndex] as const
      places.push(isTypedAt(text, found.index) ? place : [...place, 'other'])
    }
    return places
  }
}

function createEvaluate(group: Group, pages: number): (text: string) => number {
  const own = group.alternatives
    .filter((alternative) => alternative.pattern !== '')
    .toSorted((a, b) => b.weight - a.weight)
  // Most titles and headings have nothing of a query: one pattern says so for all alternatives.
  const any = compileAny(sources(group, () => true))
  const hasAny = (text: string): boolean => {
    any.lastIndex = 0
    return any.test(text)
  }
  const [only, ...others] = own
  if (group.parts.length === 0 && others.length === 0)
    return (text) => (only !== undefined && hasAny(text) ? only.weight : 0)
  const testers = own.map(({ weight, pattern }): Tester => ({ weight, pattern: new RegExp(pattern, 'i') }))
  const parts = createMatchers(group.parts, pages)
  return (text) => {
    if (!hasAny(text)) return 0
    const whole = testers.find((tester) => tester.pattern.test(text))?.weight ?? 0
    if (whole >= MATCHER.partsWeight || parts.length === 0) return whole
    const apart = parts.reduce((sum, part) => sum + part.share * part.evaluate(text), 0)
    return Math.max(whole, MATCHER.partsWeight * apart)
  }
}

/** To ask whether a text has any and where needs one program, which the engine compiles once for the same source and flags. */
const compileAny = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|') || NOTHING, 'gi')

const isShown = ({ isMarked }: Alternative): boolean => isMarked !== false
const isTyped = (alternative: Alternative): boolean => isShown(alternative) && alternative.isSynonym !== true

function sources(group: Group, isWanted: (alternative: Alternative) => boolean): string[] {
  const own = group.alternatives
    .filter((alternative) => alternative.pattern !== '' && isWanted(alternative))
    .map(({ pattern }) => pattern)
  const inParts = group.parts.flatMap((part) => sources(part, isWanted))
  return [...new Set([...own, ...inParts])].sort((a, b) => b.length - a.length)
}

function rarity(group: Group, pages: number): number {
  return Math.log(1 + pages / (1 + (group.pages || pages * 0.01)))
}
