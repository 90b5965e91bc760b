import type { FoundPage, FoundSection, SearchAnswer } from '@sekisho/contract/search-answer'
import type { DeviceMemory, RecentPage } from '../device/device-memory.ts'

/** One line of the list that the arrow keys reach. */
export type Choice =
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
export type ChoiceGroup = { readonly id: string; readonly name: string; readonly choices: readonly Choice[] }

/** A group for each found page: the page itself, with the text at its top if that matched, then its sections. */
export function resultGroups({ results }: SearchAnswer): ChoiceGroup[] {
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

/** What this device remembers, before anything is typed. */
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

/** The index a key leads to, round the ends; null for keys that do not move. */
export function movedIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (index + 1) % count
  if (key === 'ArrowUp') return (Math.max(index, 0) - 1 + count) % count
  return null
}
