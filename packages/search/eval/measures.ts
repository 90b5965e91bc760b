import type { LabelledQuery } from './corpus.ts'

/** Measures of a set of queries; `zeroHits` counts those that have an answer and found nothing. */
export interface Measures {
  readonly queries: number
  readonly s1: number
  readonly s5: number
  readonly mrr: number
  readonly ndcg10: number
  readonly zeroHits: number
}

/** Result of one query. */
export interface Outcome {
  readonly query: LabelledQuery
  readonly ids: readonly string[]
}

const CUT = 10

/** Averages the measures. A query without an answer counts as right when nothing is found. */
export function measure(outcomes: readonly Outcome[]): Measures {
  const mean = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / Math.max(1, outcomes.length)
  return {
    queries: outcomes.length,
    s1: mean((outcome) => Number(firstRank(outcome) <= 1)),
    s5: mean((outcome) => Number(firstRank(outcome) <= 5)),
    mrr: mean((outcome) => 1 / firstRank(outcome)),
    ndcg10: mean(ndcg),
    zeroHits: outcomes.filter(({ query, ids }) => query.rel.length > 0 && ids.length === 0).length,
  }
}

/** Rank of the first relevant page, from 1; infinite when there is none. */
export function firstRank({ query, ids }: Outcome): number {
  if (query.rel.length === 0) return ids.length === 0 ? 1 : Number.POSITIVE_INFINITY
  const relevant = new Set(query.rel.map(({ id }) => id))
  const at = ids.slice(0, CUT).findIndex((id) => relevant.has(id))
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}

function ndcg({ query, ids }: Outcome): number {
  if (query.rel.length === 0) return ids.length === 0 ? 1 : 0
  const grades = new Map(query.rel.map(({ id, g }) => [id, g]))
  const gains = ids.slice(0, CUT).map((id) => grades.get(id) ?? 0)
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, CUT)
  return discounted(gains) / discounted(ideal)
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
}
