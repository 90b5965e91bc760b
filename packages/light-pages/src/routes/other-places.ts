import type { CutSidebar } from './cut-sidebar.ts'
import { type Neighbour, type OtherPlace, type PageInfo, pathKey, type SidebarItem } from './model.ts'

/** A sidebar and its entries in reading order. */
export interface ListedSidebar {
  readonly cut: CutSidebar
  readonly entries: readonly Neighbour[]
}

/** Lists the entries of a sidebar that lead to a page of the site, in reading order. */
export function listEntries(items: readonly SidebarItem[]): Neighbour[] {
  return items.flatMap(({ href, label = '', unlisted, linkUnlisted, items: children = [] }) => {
    const isPage = href?.startsWith('/') === true && unlisted !== true && linkUnlisted !== true
    return [...(isPage ? [{ title: label, permalink: href }] : []), ...listEntries(children)]
  })
}

/** Place of a page in the other sidebars of its version; null without any. */
export function findOtherPlaces(
  { path, attributes, docs = [] }: PageInfo,
  sidebars: ReadonlyMap<string, ListedSidebar>,
): { [sidebar: string]: OtherPlace } | null {
  const key = pathKey(path)
  const places: { [sidebar: string]: OtherPlace } = {}
  for (const [name, { cut, entries }] of sidebars) {
    const refs = cut.openOn.get(key)
    if (name === attributes.sidebar || refs === undefined) continue
    const at = entries.findIndex(({ permalink }) => pathKey(permalink) === key)
    const beside = docs.map((known, index) =>
      index === 0 ? { ...known, doc: { ...known.doc, sidebar: name } } : known,
    )
    places[name] = {
      info: { attributes: { ...attributes, sidebar: name }, sidebar: { name, refs }, docs: beside },
      around: { previous: entries[at - 1] ?? null, next: entries[at + 1] ?? null },
    }
  }
  return Object.keys(places).length === 0 ? null : places
}
