type Sidebars = Readonly<Record<string, unknown>>

/**
 * Sidebars without the documents that an edition does not hold, whose ids would fail the build otherwise, and without the
 * categories that become empty by that; one with a document of its own becomes a link to it.
 * @param sidebars what a sidebar file exports, or the JSON of a version's sidebars
 */
export function sidebarsWithout(sidebars: Sidebars, ids: ReadonlySet<string>): Sidebars {
  return Object.fromEntries(Object.entries(sidebars).map(([name, items]) => [name, sidebarItems(items, ids)]))
}

/** A list of items, or the short form of one: an object whose keys are labels of categories. */
function sidebarItems(items: unknown, ids: ReadonlySet<string>): unknown {
  if (Array.isArray(items)) return items.flatMap((item) => sidebarItem(item, ids))
  return typeof items === 'object' && items !== null ? withoutEmpty(items, ids) : items
}

function sidebarItem(item: unknown, ids: ReadonlySet<string>): readonly unknown[] {
  if (typeof item === 'string') return ids.has(item) ? [] : [item]
  if (typeof item !== 'object' || item === null) return [item]
  if (!('type' in item))
    return Object.keys(withoutEmpty(item, ids)).length === 0 ? [] : [withoutEmpty(item, ids)]
  const { type, id, link, items, ...others }: Sidebars = { ...item }
  if (type === 'doc' || type === 'ref') return ids.has(String(id)) ? [] : [item]
  if (type !== 'category') return [item]
  const kept = sidebarItems(items, ids)
  const own = ids.has(String(Object(link).id)) ? undefined : link
  if (!isEmptied(items, kept))
    return [{ type, ...others, ...(own !== undefined && { link: own }), items: kept }]
  return Object(own).type === 'doc' ? [{ type: 'doc', id: Object(own).id, label: others.label }] : []
}

function withoutEmpty(categories: object, ids: ReadonlySet<string>): Sidebars {
  const kept = Object.entries(categories).map(
    ([label, items]) => [label, items, sidebarItems(items, ids)] as const,
  )
  return Object.fromEntries(
    kept.flatMap(([label, items, left]) => (isEmptied(items, left) ? [] : [[label, left]])),
  )
}

const isEmptied = (items: unknown, kept: unknown): boolean =>
  Array.isArray(kept) && kept.length === 0 && Array.isArray(items) && items.length > 0

/** The items of a navigation bar or a footer that lead to something of this edition; menus that become empty are left out. */
export function itemsWithout(items: unknown, isAbsent: (item: object) => boolean): unknown {
  if (!Array.isArray(items)) return items
  return items.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [item]
    if (isAbsent(item)) return []
    if (!('items' in item)) return [item]
    const kept = itemsWithout(item.items, isAbsent)
    return isEmptied(item.items, kept) ? [] : [{ ...item, items: kept }]
  })
}
