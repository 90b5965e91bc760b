import type { SidebarItem } from '../model.ts'

/** A category whose entries are not here yet shows blank ones that lead to its first link. */
interface PendingItem extends SidebarItem {
  pending: string
}

/** True for the blank entries of a category that has not been loaded. */
export function isPending(item: SidebarItem | undefined): item is PendingItem {
  return typeof item?.pending === 'string'
}

/** Number of blank entries for an uncounted category, visible while its slice loads. */
const BLANK_ENTRIES = 4

/** The slices of a sidebar, and how many entries are in those that a page's cards count. */
interface Slices {
  readonly nodes: ReadonlyMap<string, SidebarItem[]>
  readonly counts?: { readonly [ref: string]: number }
}

/**
 * Gives every category its `items`: those of `open` from their nodes, the others blank ones, so that
 * first links and visibility, and counting where `counts` has them, answer as they would for the whole sidebar.
 */
export function openSidebar(
  items: readonly SidebarItem[],
  open: ReadonlySet<string>,
  slices: Slices,
): SidebarItem[] {
  return items.map((item) => {
    if (item.type !== 'category') return item
    if (typeof item.ref !== 'string') return { ...item, items: openSidebar(item.items ?? [], open, slices) }
    const node = open.has(item.ref) ? slices.nodes.get(item.ref) : undefined
    return {
      ...item,
      items: node === undefined ? createPending(item, slices) : openSidebar(node, open, slices),
    }
  })
}

function createPending(item: SidebarItem, { counts = {} }: Slices): PendingItem[] {
  const blank: PendingItem = { type: 'link', label: '', pending: String(item.ref) }
  if (item.hidden === true) blank.unlisted = true
  if (typeof item.first === 'string') blank.href = item.first
  return Array.from({ length: counts[String(item.ref)] ?? BLANK_ENTRIES }, () => blank)
}
