import { hash } from 'node:crypto'
import { pathKey, type SidebarItem } from './model.ts'

/** A category whose entries were left out: `ref` names the node that holds them. */
interface ClosedCategory extends SidebarItem {
  ref: string
  count: number
  /** The first link inside, for categories that have none of their own. */
  first?: string
  /** True when nothing inside is shown unless it is the active page. */
  hidden?: true
}

/** A sidebar cut into nodes: each holds the entries of one category that is closed until somebody opens it. */
export interface CutSidebar {
  root: string
  nodes: Map<string, SidebarItem[]>
  /** Nodes that are open on a page, outermost first, by {@link pathKey}. */
  openOn: Map<string, string[]>
}

/** Cuts a sidebar at its closed categories. Nodes are named by content, so equal ones are one file. */
export function cutSidebar(items: readonly SidebarItem[]): CutSidebar {
  const nodes = new Map<string, SidebarItem[]>()
  const root = cutItems(items, nodes)
  const openOn = new Map<string, string[]>()
  collectOpen(nodes.get(root) ?? [], [root], { nodes, openOn })
  return { root, nodes, openOn }
}

function cutItems(items: readonly SidebarItem[], nodes: Map<string, SidebarItem[]>): string {
  const cut = items.map((item) => cutItem(item, nodes))
  const ref = hash('sha256', JSON.stringify(cut)).slice(0, 12)
  nodes.set(ref, cut)
  return ref
}

function cutItem(item: SidebarItem, nodes: Map<string, SidebarItem[]>): SidebarItem {
  if (item.type !== 'category') return item
  const { items = [], ...rest } = item
  const isClosed = item.collapsible === true && item.collapsed === true && items.length > 0
  if (!isClosed) return { ...rest, items: items.map((child) => cutItem(child, nodes)) }
  const first = findFirstLink(items)
  const closed: ClosedCategory = {
    ...rest,
    ref: cutItems(items, nodes),
    count: items.length,
  }
  if (first !== undefined) closed.first = first
  if (!items.some(isListed)) closed.hidden = true
  return closed
}

function findFirstLink(items: readonly SidebarItem[]): string | undefined {
  for (const item of items) {
    const own = item.unlisted === true || item.linkUnlisted === true ? undefined : item.href
    const link = item.type === 'html' ? undefined : (own ?? findFirstLink(item.items ?? []))
    if (link !== undefined) return link
  }
  return undefined
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
