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

/** Share of queries with a relevant page, alone and with rewrites. */
export interface Gain {
  readonly queries: number
  readonly alone: Pick<Measures, 's1' | 's5'>
  /** One list: reciprocal ranks, k 10, the question counts twice. */
  readonly fused: Pick<Measures, 's1' | 's5'>
  /** Among the first five, or in a block of three below them. */
  readonly withBlock: number
}

/** An outcome, and what each rewrite of its query found. */
interface RewrittenOutcome extends Outcome {
  readonly others: readonly (readonly string[])[]
}

/** Averages the gain of rewrites over queries that have some. */
export function measureGain(outcomes: readonly RewrittenOutcome[]): Gain {
  const fused = outcomes.map(({ query, ids, others }) => ({ query, ids: fuseRanks([ids, ids, ...others]) }))
  const withBlock = outcomes.map(({ query, ids, others }) => {
    return { query, ids: [...ids.slice(0, 5), ...fuseRanks(others).slice(0, 3)] }
  })
  const found = withBlock.filter((outcome) => Number.isFinite(firstRank(outcome))).length
  return {
    queries: outcomes.length,
    alone: measure(outcomes),
    fused: measure(fused),
    withBlock: found / Math.max(1, outcomes.length),
  }
}

const RANK_CONSTANT = 10

function fuseRanks(lists: readonly (readonly string[])[]): readonly string[] {
  const scores = new Map<string, number>()
  for (const list of lists)
    for (const [at, id] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_CONSTANT + at + 1))
  return [...scores].sort(([, one], [, other]) => other - one).map(([id]) => id)
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
