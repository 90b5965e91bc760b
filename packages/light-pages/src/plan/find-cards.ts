import type { DocCard, SidebarItem } from '../wire.ts'
import type { CutSidebar } from './cut-sidebar.ts'
import type { Page, PlanSources, VersionProps } from './make-plan.ts'

/** Content that names the list of cards, or another component that might contain one. */
const MAY_SHOW_CARDS = /DocCard|^import\s.+\sfrom\s+['"](?:\.|@site|@theme)/m

/** What the cards of a page need to know: the documents of its open sidebar nodes. Null when it shows none. */
export function findCards(
  page: Page,
  { cut, version, sources }: { cut: CutSidebar; version: VersionProps; sources: PlanSources },
): { [id: string]: DocCard } | null {
  if (!showsCards(page, sources)) return null
  const cards: { [id: string]: DocCard } = {}
  const collect = (items: readonly SidebarItem[]): void => {
    for (const item of items) {
      const doc = item.docId === undefined ? undefined : version.docs[item.docId]
      if (doc !== undefined) cards[doc.id] = doc
      collect(item.items ?? [])
    }
  }
  for (const ref of page.sidebar?.refs.slice(-1) ?? []) collect(cut.nodes.get(ref) ?? [])
  return cards
}

function showsCards(page: Page, sources: PlanSources): boolean {
  const { content } = page.modules
  if (typeof content !== 'string') return true
  return MAY_SHOW_CARDS.test(sources.readContent(content) ?? '')
}
