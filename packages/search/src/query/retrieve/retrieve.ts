import { RETRIEVAL } from '../../query-constants.ts'
import { hasJapanese } from '../../text/characters.ts'
import {
  allButOne,
  allGroups,
  anyGroup,
  groupsWithUnits,
  smallestGroups,
  wholeGroups,
  wordsOf,
} from '../read/expression.ts'
import { type Operators, withRequired } from '../read/operators.ts'
import type { Plan } from '../read/plan.ts'
import type { Group } from '../read/terms/alternative.ts'
import type { Meant } from '../read/words/subjects.ts'
import type { Condition } from './filters.ts'
import type { Postings } from './postings.ts'
import type { Candidate, Store } from './store.ts'
import type { Near } from './vector-search.ts'

/** Index to search, and the pages allowed. */
interface Scope {
  readonly store: Store
  readonly postings: Postings
  /** Possible subjects of the query in other words. */
  readonly meant: readonly Meant[]
  /** Pages of similar meaning among those allowed; none without a model. */
  readonly nearest: (isAllowed: (page: number) => boolean) => readonly Near[]
  readonly operators: Operators
  readonly condition: Condition | null
  /** As many pages with the query in titles and headings leave no better one to be found by its text. */
  readonly enough: number
}

/** The pages worth looking at, and by what to compare them. */
export interface Retrieved {
  readonly candidates: readonly Candidate[]
  readonly groups: readonly Group[]
  /** No page has all of the query; for questions known only once pages are read. */
  readonly relaxed: boolean
  /** Pages were found by their share of the words, whichever they have. */
  readonly asQuestion: boolean
  /** Share of a sentence that pages have verbatim, from 0 to 1; unknown for missing pages. */
  readonly fragments: ReadonlyMap<number, number>
  /** Candidates of similar meaning, by page. */
  readonly near: ReadonlyMap<number, Near>
}

const NO_FRAGMENTS: ReadonlyMap<number, number> = new Map()
const NOTHING_NEAR: Retrieved['near'] = new Map()

/**
 * Finds pages for a plan. A few words must all occur, unless hardly any page has them. A question says more than its page, so pages most
 * about its words are taken, or those with it verbatim.
 */
export function retrieve(plan: Plan, scope: Scope): Retrieved {
  const { store, operators } = scope
  // A page may have an excluded word in its text and be found by its title, so what is excluded is asked of whole pages.
  const find = (match: string): Candidate[] =>
    store
      .candidates(withRequired(match, operators), scope.condition, scope.enough)
      .filter(({ page }) => !operators.excluded.some((one) => store.has(page, one)))
  if (!plan.isQuestion)
    return { ...findWords(plan.groups, find, scope), asQuestion: false, fragments: NO_FRAGMENTS }
  const whole = wholeGroups(plan.groups)
  const exact = whole === null ? [] : find(whole)
  if (exact.length > 0) return findExact(plan.groups, exact, find)
  const fragments = findFragments(plan.groups, find)
  const near = findNear(scope)
  return {
    candidates: mostAbout(plan.groups, [...new Set([...fragments.keys(), ...near.keys()])], scope),
    groups: wordsOf(plan.groups),
    relaxed: false,
    asQuestion: true,
    fragments,
    near,
  }
}

function findWords(
  groups: readonly Group[],
  find: (match: string) => Candidate[],
  scope: Scope,
): Omit<Retrieved, 'asQuestion' | 'fragments'> {
  const strict = find(allGroups(groups))
  const parts = smallestGroups(groups)
  const relaxed = strict.length === 0
  const saysMuch = saysMore(parts)
  // A name that pages have means these pages.
  const near = relaxed || saysMuch ? findNear(scope) : NOTHING_NEAR
  const about = saysMuch
    ? withLessRelevance(mostAbout(groups, [], scope), strict).slice(
        0,
        relaxed ? RETRIEVAL.looseCandidates : RETRIEVAL.besideStrict,
      )
    : []
  const others = [...near.keys()].map((page) => ({ page, relevance: 0 }))
  const withOthers = (found: readonly Candidate[]) => merge(found, others)
  const count = parts.filter((part) => !part.optional).length
  if (strict.length + about.length >= RETRIEVAL.fewHits || count < 2)
    return {
      candidates: withOthers(merge(strict, about)),
      groups: relaxed ? parts : groups,
      relaxed: relaxed && about.length + others.length > 0,
      near,
    }
  const looser = find(count > 2 ? allButOne(parts) : anyGroup(parts))
  const found = merge(merge(strict, looser), about)
  const candidates = withOthers(found.length > 0 ? found : find(anyGroup(parts)))
  return { candidates, groups: relaxed ? parts : groups, relaxed, near }
}

/** Tells if a query contains more than one name, which a page has or lacks: several words, or synonyms. */
const saysMore = (parts: readonly Group[]): boolean =>
  parts.length > 1 ||
  parts.some(({ units = [] }) => units.length === 1 && units.some((unit) => unit.length > 1))

function findFragments(groups: readonly Group[], find: (match: string) => Candidate[]): Map<number, number> {
  const fragments = groups.flatMap((group) => group.fragments ?? [])
  if (fragments.length === 0) return new Map()
  const found = find(fragments.join(' OR ')).slice(0, RETRIEVAL.fragmentPages)
  const most = Math.max(...found.map(({ relevance }) => relevance), Number.MIN_VALUE)
  return new Map(found.map(({ page, relevance }) => [page, relevance / most]))
}

/** A message that a page has as it was typed is no question; a page with some of its words is none of its pages. */
function findExact(
  groups: readonly Group[],
  exact: readonly Candidate[],
  find: (match: string) => Candidate[],
): Retrieved {
  const whole = groups.map((group) => (hasJapanese(group.label) ? group : { ...group, parts: [] }))
  const more = exact.length < RETRIEVAL.fewHits ? withLessRelevance(find(allGroups(groups)), exact) : []
  return {
    candidates: merge(exact, more),
    groups: whole,
    relaxed: false,
    asQuestion: false,
    fragments: NO_FRAGMENTS,
    near: NOTHING_NEAR,
  }
}

/** The pages that are most about the groups' words. */
function mostAbout(groups: readonly Group[], also: readonly number[], scope: Scope): Candidate[] {
  const { postings, meant } = scope
  const count = RETRIEVAL.looseCandidates
  return postings.most(groupsWithUnits(groups), meant, count, also, (page) => isAllowed(page, scope))
}

/** Pages that mean much the same, whatever their words. */
const findNear = (scope: Scope): Retrieved['near'] =>
  new Map(scope.nearest((page) => isAllowed(page, scope)).map((one) => [one.page, one]))

const isAllowed = (page: number, { store, condition, operators: { required, excluded } }: Scope): boolean =>
  (condition === null || store.meets(page, condition)) &&
  required.every((match) => store.has(page, match)) &&
  !excluded.some((match) => store.has(page, match))

/** Relevances of the two searches are not of one scale: the best by some of the words counts half of the best by all. */
function withLessRelevance(about: readonly Candidate[], strict: readonly Candidate[]): Candidate[] {
  const most = Math.max(...about.map(({ relevance }) => relevance), Number.MIN_VALUE)
  const best = Math.max(...strict.map(({ relevance }) => relevance), 0) || 1
  return about.map(({ page, relevance }) => ({
    page,
    relevance: (RETRIEVAL.looseRelevance * best * relevance) / most,
  }))
}

function merge(first: readonly Candidate[], second: readonly Candidate[]): Candidate[] {
  const known = new Set(first.map((candidate) => candidate.page))
  return [...first, ...second.filter((candidate) => !known.has(candidate.page))]
}
