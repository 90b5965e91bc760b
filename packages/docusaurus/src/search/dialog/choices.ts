import {
  type FoundPage,
  type FoundSection,
  MAX_QUERY_CHARS,
  type SearchResponse,
} from '@sekisho/contract/search-response'
import { useEffect, useMemo, useState } from 'react'
import { currentReader } from '../../session/tab-session.ts'
import { type DeviceMemory, forgetMemory, type RecentPage, readMemory } from '../device-memory.ts'
import type { Rewritten } from '../rewritten.ts'
import type { SearchState } from '../search-session.ts'
import { TEXTS } from '../texts.ts'

/** One line of the list that the arrow keys reach. */
export type Choice =
  | { readonly kind: 'ask'; readonly id: string; readonly url: string; readonly q: string }
  | {
      readonly kind: 'page'
      readonly id: string
      readonly url: string
      readonly page: FoundPage
      readonly rank: number
      readonly lead: FoundSection | null
    }
  | {
      readonly kind: 'section'
      readonly id: string
      readonly url: string
      readonly page: FoundPage
      readonly rank: number
      readonly section: FoundSection
    }
  | { readonly kind: 'recent-query'; readonly id: string; readonly q: string }
  | { readonly kind: 'recent-page'; readonly id: string; readonly url: string; readonly recent: RecentPage }

/** Choices under one name: a page with its sections, or a list of recent things. */
export type ChoiceGroup = {
  readonly id: string
  readonly name: string
  /** Second line of a name that is shown above its choices. */
  readonly hint?: string
  readonly choices: readonly Choice[]
}

/** A group for each found page: the page itself, with the text at its top if that matched, then its sections. */
export function resultGroups({ results }: SearchResponse): ChoiceGroup[] {
  return results.map((page, at) => {
    const rank = at + 1
    const lead = page.sections.find(({ anchor }) => anchor === '') ?? null
    const sections = page.sections.filter(({ anchor }) => anchor !== '')
    const own: Choice = { kind: 'page', id: `r${rank}`, url: page.url, page, rank, lead }
    const under = sections.map(
      (section, index): Choice => ({
        kind: 'section',
        id: `r${rank}-${index + 1}`,
        url: section.url,
        page,
        rank,
        section,
      }),
    )
    return { id: `g${rank}`, name: page.title, choices: [own, ...under] }
  })
}

/** Address of the page that answers a question; null where none is answered, and for no question. */
export function askUrl(answer: SearchResponse | null, q: string, page: string): string | null {
  const question = q.trim().slice(0, MAX_QUERY_CHARS)
  if (answer?.ask === undefined || question === '') return null
  return `${answer.ask.path}?${new URLSearchParams({ q: question, page })}`
}

/** The group of the line that asks, above the results of what reads like a sentence. */
export function askGroups(answer: SearchResponse, q: string, page: string): ChoiceGroup[] {
  const url = answer.ask?.isSentence === true ? askUrl(answer, q, page) : null
  return url === null
    ? []
    : [{ id: 'ask', name: TEXTS.ask, choices: [{ kind: 'ask', id: 'ask', url, q: q.trim() }] }]
}

/** The group of pages for other words, below all results; their ranks follow. */
export function rewrittenGroups(rewritten: Rewritten | null, results: number): ChoiceGroup[] {
  if (rewritten === null) return []
  const choices = rewritten.pages.map((page, at): Choice => {
    const lead = page.sections[0] ?? null
    return { kind: 'page', id: `w${at + 1}`, url: page.url, page, rank: results + at + 1, lead }
  })
  return [{ id: 'rewritten', name: TEXTS.rewritten(rewritten.queries), hint: TEXTS.rewrittenHint, choices }]
}

/** Groups of the history, before anything is typed. */
export function recentGroups(
  memory: DeviceMemory,
  names: { readonly queries: string; readonly pages: string },
): ChoiceGroup[] {
  const queries = memory.queries.map((q, at): Choice => ({ kind: 'recent-query', id: `q${at}`, q }))
  const pages = memory.pages.map(
    (recent, at): Choice => ({ kind: 'recent-page', id: `p${at}`, url: recent.url, recent }),
  )
  const groups = [
    { id: 'queries', name: names.queries, choices: queries },
    { id: 'pages', name: names.pages, choices: pages },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

/** The line that Enter opens at first: the first page, or its section whose heading is the query; without a page, the first line. */
export function firstIndex(choices: readonly Choice[]): number {
  const at = choices.findIndex(({ kind }) => kind === 'page')
  const first = choices[at]
  if (first?.kind !== 'page') return 0
  const { rank, page } = first
  const named = choices.findIndex(
    (choice) => choice.kind === 'section' && choice.rank === rank && choice.url === page.target,
  )
  return named === -1 ? at : named
}

/** The index a key leads to, round the ends; null for keys that do not move. */
export function movedIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (index + 1) % count
  if (key === 'ArrowUp') return (Math.max(index, 0) - 1 + count) % count
  return null
}

const NOTHING: DeviceMemory = { queries: [], pages: [] }
const NAMES = { queries: TEXTS.recentQueries, pages: TEXTS.recentPages }

/** Selectable entries, and the one under the keys. */
export type Choices = {
  readonly groups: readonly ChoiceGroup[]
  readonly choices: readonly Choice[]
  /** −1 when on nothing: of recent things none is chosen before the reader moves to it. */
  readonly active: number
  readonly isRecent: boolean
  setActive(index: number): void
  forget(): void
}

/**
 * Results for what is typed, else what this device remembers. The first result is chosen as soon as it is there; while
 * there is trouble, none can be.
 */
export function useChoices(
  { q, answer, answered, problem }: SearchState,
  rewritten: Rewritten | null,
): Choices {
  const [memory, setMemory] = useState(readNow)
  const isRecent = q.trim() === ''
  const groups = useMemo(() => {
    if (isRecent) return recentGroups(memory, NAMES)
    if (answer === null || problem !== null) return []
    return [
      ...askGroups(answer, q, window.location.pathname),
      ...resultGroups(answer),
      ...rewrittenGroups(rewritten, answer.results.length),
    ]
  }, [isRecent, memory, answer, problem, q, rewritten])
  const choices = useMemo(() => groups.flatMap((group) => group.choices), [groups])
  const [active, setActive] = useState(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer, not a new list, moves the choice
  useEffect(() => setActive(isRecent ? -1 : firstIndex(choices)), [isRecent, answered])
  return {
    groups,
    choices,
    active: Math.min(active, choices.length - 1),
    isRecent,
    setActive,
    forget() {
      forgetMemory(localStorage)
      setMemory(NOTHING)
    },
  }
}

function readNow(): DeviceMemory {
  const reader = currentReader()
  return reader === null ? NOTHING : readMemory(localStorage, reader)
}

/** Delay that spares results visible only while typing. */
const PAUSE_MS = 120

/** Fetches the code of the first result's page, through what Docusaurus's own links use. */
export function usePrefetch(answer: SearchResponse | null): void {
  const first = answer?.results[0]?.url
  useEffect(() => {
    if (first === undefined) return undefined
    const timer = setTimeout(() => {
      window.docusaurus.prefetch(first)
      window.docusaurus.preload(first)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [first])
}
