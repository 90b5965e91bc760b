import { MAX_IMPACT, readBlock } from '../../format/postings.ts'
import { EVERYDAY, POSTINGS } from '../../query-constants.ts'
import type { Group, Unit } from '../read/terms/alternative.ts'
import type { Meant } from '../read/words/subjects.ts'
import type { IndexPart } from './parts.ts'
import type { Candidate } from './store.ts'

/** Finds the pages that are most about several terms, whichever of them they have. */
export interface Postings {
  /**
   * The best pages first, then those of `also` with their relevance; `isAllowed` leaves pages out. What may be `meant` counts the
   * less the more of what was typed is on one page.
   */
  most(
    groups: readonly Group[],
    meant: readonly Meant[],
    count: number,
    also: readonly number[],
    isAllowed: (page: number) => boolean,
  ): Candidate[]
}

/** Prepares the reads on an open index. */
export function createPostings(parts: readonly IndexPart[], pages: number): Postings {
  const reads = parts.map(({ database, offset }) => ({
    offset,
    read: database.prepare('SELECT block, pages FROM posting WHERE term = ?'),
  }))
  const largest = Math.max(...parts.map(largestPage))
  const scores = new Float32Array(largest + 1)
  const ofUnit = new Float32Array(largest + 1)

  const rowsOf = (term: string) =>
    reads.flatMap(({ read, offset }) => read.all(term).map(({ block, pages }) => ({ block, pages, offset })))

  /** Adds a unit to every page that has it; returns the most that it can add. */
  function addUnit(unit: Unit, weight: number): number {
    const inUnit: number[] = []
    let usual = Number.POSITIVE_INFINITY
    let most = 0
    for (const { term, weight: likeness } of unit) {
      const rows = rowsOf(term)
      const count = rows.reduce((sum, row) => sum + lengthOf(row.pages), 0)
      if (count === 0) continue
      // A rare synonym tells no more than the word that was typed.
      usual = Math.min(usual, rarity(count, pages))
      most = Math.max(most, likeness * usual * weight)
      const factor = (likeness * usual * weight) / MAX_IMPACT
      for (const row of rows)
        readBlock(row.pages, Number(row.block), (own, impact) => {
          const page = own + row.offset
          const before = ofUnit[page] ?? 0
          if (before === 0) inUnit.push(page)
          ofUnit[page] = Math.max(before, factor * impact)
        })
    }
    for (const page of inUnit) {
      scores[page] = (scores[page] ?? 0) + (ofUnit[page] ?? 0)
      ofUnit[page] = 0
    }
    return most || EVERYDAY.unknownShare * Math.log(1 + pages) * weight
  }

  function addMeant(meant: readonly Meant[], share: number): void {
    for (const { term, weight } of meant) {
      const rows = rowsOf(term)
      const count = rows.reduce((sum, row) => sum + lengthOf(row.pages), 0)
      const factor = (EVERYDAY.weight * share * weight * rarity(count, pages)) / MAX_IMPACT
      for (const row of rows)
        readBlock(row.pages, Number(row.block), (own, impact) => {
          const page = own + row.offset
          scores[page] = (scores[page] ?? 0) + factor * impact
        })
    }
  }

  return {
    most(groups, meant, count, also, isAllowed) {
      let possible = 0
      for (const { unit, weight } of distinctUnits(groups).slice(0, POSTINGS.maxUnits))
        possible += addUnit(unit, weight)
      if (meant.length > 0) addMeant(meant, missingShare(scores, possible))
      const best = largestOf(scores, count, isAllowed)
      const known = new Set(best.map(({ page }) => page))
      const others = also
        .filter((page) => !known.has(page))
        .map((page) => ({ page, relevance: scores[page] ?? 0 }))
      scores.fill(0)
      return [...best, ...others]
    },
  }
}

/** Share of the query that even the best matching page lacks. */
function missingShare(scores: Float32Array, possible: number): number {
  let most = 0
  for (let page = 0; page < scores.length; page += 1) most = Math.max(most, scores[page] ?? 0)
  return Math.max(0, 1 - most / possible)
}

const rarity = (count: number, pages: number): number => Math.log(1 + (pages - count + 0.5) / (count + 0.5))

function largestPage({ database, offset }: IndexPart): number {
  return offset + Number(database.prepare('SELECT max(id) AS id FROM page').get()?.id ?? 0)
}

/** A word said twice asks for one thing, and a frame for none. */
function distinctUnits(groups: readonly Group[]): { unit: Unit; weight: number }[] {
  const units = new Map<string, { unit: Unit; weight: number }>()
  for (const { weight = 1, units: own = [] } of groups)
    for (const unit of own) {
      const [first] = unit
      if (first !== undefined && weight > 0 && !units.has(first.term)) units.set(first.term, { unit, weight })
    }
  return [...units.values()]
}

const lengthOf = (stored: unknown): number => (stored instanceof Uint8Array ? stored.byteLength / 2 : 0)

function largestOf(scores: Float32Array, count: number, isAllowed: (page: number) => boolean): Candidate[] {
  const best: Candidate[] = []
  let least = 0
  // By number: an iterator would make two objects for every page of the site.
  for (let page = 0; page < scores.length; page += 1) {
    const relevance = scores[page] ?? 0
    if (relevance <= least || !isAllowed(page)) continue
    let at = best.length
    while (at > 0 && (best[at - 1]?.relevance ?? 0) < relevance) at -= 1
    best.splice(at, 0, { page, relevance })
    if (best.length > count) best.pop()
    if (best.length === count) least = best.at(-1)?.relevance ?? 0
  }
  return best
}
