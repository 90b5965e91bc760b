import type { SidebarItem } from '../model.ts'

/** A category whose entries are not here yet shows this many blank ones that lead to its first link. */
export interface PendingItem extends SidebarItem {
  pending: string
}

/** True for the blank entries of a category that has not been loaded. */
export function isPending(item: SidebarItem | undefined): item is PendingItem {
  return typeof item?.pending === 'string'
}

/**
 * Gives every category its `items`: those of `open` from their nodes, the others blank ones, so that
 * counting, first links and visibility answer as they would for the whole sidebar.
 */
export function openSidebar(
  items: readonly SidebarItem[],
  open: ReadonlySet<string>,
  nodes: ReadonlyMap<string, SidebarItem[]>,
): SidebarItem[] {
  return items.map((item) => {
    if (item.type !== 'category') return item
    if (typeof item.ref !== 'string') return { ...item, items: openSidebar(item.items ?? [], open, nodes) }
    const node = open.has(item.ref) ? nodes.get(item.ref) : undefined
    return { ...item, items: node === undefined ? createPending(item) : openSidebar(node, open, nodes) }
  })
}

function createPending(item: SidebarItem): PendingItem[] {
  const blank: PendingItem = { type: 'link', label: '', pending: String(item.ref) }
  if (item.hidden === true) blank.unlisted = true
  if (typeof item.first === 'string') blank.href = item.first
  return Array.from({ length: Number(item.count) }, () => blank)
}
