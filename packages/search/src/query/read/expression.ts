import { EXPRESSION } from '../../query-constants.ts'
import type { Group } from './terms/alternative.ts'

/** The expression for pages that have every required group. */
export function allGroups(groups: readonly Group[]): string {
  return join(required(groups).map(groupExpression), 'AND')
}

/** The expression for pages that have all required groups but one, for when no page has all. */
export function allButOne(groups: readonly Group[]): string {
  const expressions = required(groups).map(groupExpression)
  return join(
    expressions.map((_, left) =>
      join(
        expressions.filter((_, at) => at !== left),
        'AND',
      ),
    ),
    'OR',
  )
}

/** The expression for pages that have any required group. */
export function anyGroup(groups: readonly Group[]): string {
  return join(required(groups).map(groupExpression), 'OR')
}

/** Required groups with wholes replaced by their parts: what can be left out one at a time. */
export function smallestGroups(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) => (group.parts.length > 0 ? smallestGroups(group.parts) : [group]))
}

/** Required groups with wholes replaced by their words. */
export function wordsOf(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) =>
    group.parts.length > 0 && group.isWord !== true ? wordsOf(group.parts) : [group],
  )
}

/** The expression for pages that have the query as it was typed; null when it has no such form. */
export function wholeGroups(groups: readonly Group[]): string | null {
  const wholes = required(groups).map((group) => groupExpression({ ...group, parts: [] }))
  return wholes.length > EXPRESSION.maxWholes || wholes.includes('()') ? null : join(wholes, 'AND')
}

/** All groups, wholes and parts, that name units to ask the index for when no page needs to have every group. */
export function groupsWithUnits(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) => [
    ...((group.units ?? []).length > 0 ? [group] : []),
    ...groupsWithUnits(group.parts),
  ])
}

function required(groups: readonly Group[]): readonly Group[] {
  return groups.filter((group) => !group.optional)
}

function groupExpression(group: Group): string {
  const parts = required(group.parts)
  const whole = group.alternatives.map((alternative) => alternative.match).filter((match) => match !== '')
  return join(
    [...new Set(parts.length > 0 ? [...whole, join(parts.map(groupExpression), 'AND')] : whole)],
    'OR',
  )
}

function join(expressions: readonly string[], operator: 'AND' | 'OR'): string {
  const [only] = expressions
  return expressions.length === 1 && only !== undefined
    ? only
    : `(${expressions.map((one) => `(${one})`).join(` ${operator} `)})`
}
