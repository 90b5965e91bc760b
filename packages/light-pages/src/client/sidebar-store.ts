import type { SidebarItem, SidebarSlice } from '../wire.ts'
import { fetchTable } from './fetch-table.ts'
import { openSidebar } from './open-sidebar.ts'

const nodes = new Map<string, SidebarItem[]>()
const loading = new Map<string, Promise<void>>()
const listeners = new Set<() => void>()
const opened = new Map<string, SidebarItem[]>()

/** Keeps nodes that came with the page. */
export function addNodes(own: { [ref: string]: SidebarItem[] }): void {
  for (const [ref, items] of Object.entries(own)) nodes.set(ref, items)
}

/** Loads a node once; everybody who shows it is told when it is there. */
export function loadNode(ref: string): Promise<void> {
  const known = nodes.has(ref) ? Promise.resolve() : loading.get(ref)
  if (known !== undefined) return known
  const request = fetchTable<SidebarItem[]>(`node.${ref}.json`)
    .then((items) => {
      nodes.set(ref, items)
      for (const tell of listeners) tell()
    })
    .finally(() => loading.delete(ref))
  loading.set(ref, request)
  return request
}

/** Loads every node a page shows open. */
export async function loadSidebar({ refs }: SidebarSlice): Promise<void> {
  await Promise.all(refs.map(loadNode))
}

/** The sidebar as a page shows it. The same slice is the same array, so that nothing is rendered twice. */
export function readSidebar({ refs }: SidebarSlice): SidebarItem[] {
  const key = refs.join()
  const known = opened.get(key)
  if (known !== undefined) return known
  const items = openSidebar(nodes.get(refs[0] ?? '') ?? [], new Set(refs), nodes)
  opened.set(key, items)
  return items
}

/** The entries of a closed category, or null while they are not here. */
export function readNode(ref: string): SidebarItem[] | null {
  if (!nodes.has(ref)) return null
  return readSidebar({ name: '', refs: [ref] })
}

/** Calls back whenever a node has arrived. */
export function subscribeToNodes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
