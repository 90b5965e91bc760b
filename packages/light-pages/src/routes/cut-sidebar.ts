import { hash } from 'node:crypto'
import { pathKey, type SidebarItem } from './model.ts'

/** A category whose entries were left out: `ref` names the node that holds them. */
interface ClosedCategory extends SidebarItem {
  ref: string
  /** The first link inside, for categories that have none of their own. */
  first?: string
  /** True when nothing inside is shown unless it is the active page. */
  hidden?: true
}

/** A sidebar cut into nodes: each holds the entries of one category that stays closed until opened. */
export interface CutSidebar {
  root: string
  nodes: Map<string, SidebarItem[]>
  /** Nodes that are open on a page, outermost first, by {@link pathKey}. */
  openOn: Map<string, string[]>
}

/**
 * Cuts a sidebar at its closed categories. Nodes are named by the labels above them, not by content: pages carry these names, and one new
 * page must not change all.
 * @param name distinguishes the sidebar from the site's others
 */
export function cutSidebar(items: readonly SidebarItem[], name: string): CutSidebar {
  const nodes = new Map<string, SidebarItem[]>()
  const root = cutItems(items, [name], nodes)
  const openOn = new Map<string, string[]>()
  collectOpen(nodes.get(root) ?? [], [root], { nodes, openOn })
  return { root, nodes, openOn }
}

function cutItems(
  items: readonly SidebarItem[],
  way: readonly string[],
  nodes: Map<string, SidebarItem[]>,
): string {
  const ref = hash('sha256', JSON.stringify(way)).slice(0, 12)
  nodes.set(ref, cutEach(items, way, nodes))
  return ref
}

function cutEach(
  items: readonly SidebarItem[],
  way: readonly string[],
  nodes: Map<string, SidebarItem[]>,
): SidebarItem[] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    if (item.type !== 'category') return item
    const label = item.label ?? ''
    const nth = (seen.get(label) ?? 0) + 1 // of those beside each other with one label
    seen.set(label, nth)
    return cutCategory(item, [...way, `${nth} ${label}`], nodes)
  })
}

function cutCategory(
  item: SidebarItem,
  way: readonly string[],
  nodes: Map<string, SidebarItem[]>,
): SidebarItem {
  const { items = [], ...rest } = item
  const isClosed = item.collapsible === true && item.collapsed === true && items.length > 0
  if (!isClosed) return { ...rest, items: cutEach(items, way, nodes) }
  const closed: ClosedCategory = { ...rest, ref: cutItems(items, way, nodes) }
  const first = ownLink(item) === undefined ? findFirstLink(items) : undefined
  if (first !== undefined) closed.first = first
  if (!items.some(isListed)) closed.hidden = true
  return closed
}

function findFirstLink(items: readonly SidebarItem[]): string | undefined {
  for (const item of items) {
    const link = item.type === 'html' ? undefined : (ownLink(item) ?? findFirstLink(item.items ?? []))
    if (link !== undefined) return link
  }
  return undefined
}

/** Own target of an entry. */
function ownLink(item: SidebarItem): string | undefined {
  return item.unlisted === true || item.linkUnlisted === true ? undefined : item.href
}

function isListed(item: SidebarItem): boolean {
  if (item.type === 'category') {
    return (item.href !== undefined && item.linkUnlisted !== true) || (item.items ?? []).some(isListed)
  }
  return item.type !== 'link' || item.unlisted !== true
}

function collectOpen(
  items: readonly SidebarItem[],
  open: readonly string[],
  cut: Pick<CutSidebar, 'nodes' | 'openOn'>,
): void {
  for (const item of items) {
    const ref = typeof item.ref === 'string' ? item.ref : undefined
    const inside = ref === undefined ? open : [...open, ref]
    if (item.href !== undefined) {
      const key = pathKey(item.href)
      cut.openOn.set(key, [...new Set([...(cut.openOn.get(key) ?? []), ...inside])])
    }
    collectOpen(ref === undefined ? (item.items ?? []) : (cut.nodes.get(ref) ?? []), inside, cut)
  }
}
