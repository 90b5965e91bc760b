import { nodeFile, type PageInfo, type SidebarItem } from '../model.ts'
import { fetchTable } from './loading/route-table.ts'
import { openSidebar } from './open-sidebar.ts'

const nodes = new Map<string, SidebarItem[]>()
const loading = new Map<string, Promise<void>>()
const listeners = new Set<() => void>()
const opened = new Map<string, SidebarItem[]>()

/** Keeps slices that came with the page. */
export function addNodes(own: { [ref: string]: SidebarItem[] }): void {
  for (const [ref, items] of Object.entries(own)) nodes.set(ref, items)
}

/** Loads a slice once and notifies all its subscribers. */
export function loadNode(ref: string): Promise<void> {
  const known = nodes.has(ref) ? Promise.resolve() : loading.get(ref)
  if (known !== undefined) return known
  const request = fetchTable<SidebarItem[]>(nodeFile(ref))
    .then((items) => {
      nodes.set(ref, items)
      for (const tell of listeners) tell()
    })
    .finally(() => loading.delete(ref))
  loading.set(ref, request)
  return request
}

/** The sidebar with the named slices open. The same slices are the same array, so that nothing is rendered twice. */
export function readSidebar(refs: readonly string[], counts: PageInfo['counts'] = {}): SidebarItem[] {
  const key = [...refs, ...Object.entries(counts)].join()
  const items =
    opened.get(key) ?? openSidebar(nodes.get(refs[0] ?? '') ?? [], new Set(refs), { nodes, counts })
  opened.set(key, items)
  return items
}

/** The entries of a closed category, or null while they are not here. */
export function readNode(ref: string): SidebarItem[] | null {
  return nodes.has(ref) ? readSidebar([ref]) : null
}

/** Calls back whenever a slice has arrived. */
export function subscribeToNodes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
