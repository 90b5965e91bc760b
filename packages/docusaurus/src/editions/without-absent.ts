type Sidebars = Readonly<Record<string, unknown>>

/** Addresses of a site that an edition lacks: without a slash at their end. */
export interface AbsentAddresses {
  readonly paths: readonly string[]
  /** Below which a plugin had its pages that is not there. */
  readonly gone: readonly string[]
  /** Below which those have theirs that are. */
  readonly kept: readonly string[]
}

/** Tells if a link leads to an address that the edition lacks. */
export type IsAbsent = (target: unknown) => boolean

/** Makes the judge of links. What lies below two plugins is the one's whose path is longer. */
export function absenceOfAddresses({ paths, gone, kept }: AbsentAddresses): IsAbsent {
  const known = new Set(paths)
  return (target) => {
    if (typeof target !== 'string') return false
    const path = target.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '')
    const longest = (bases: readonly string[]) =>
      Math.max(
        0,
        ...bases.filter((base) => path === base || path.startsWith(`${base}/`)).map((base) => base.length),
      )
    return known.has(path) || longest(gone) > longest(kept)
  }
}

interface Absent {
  readonly ids: ReadonlySet<string>
  readonly isAbsent: IsAbsent
}

/**
 * Removes absent documents, links to absent pages and empty categories from sidebars, since unknown ids fail the build; a category with its
 * own document becomes a link.
 * @param sidebars the exports of a sidebar file, or the JSON of a version's sidebars
 */
export function sidebarsWithout(
  sidebars: Sidebars,
  ids: ReadonlySet<string>,
  isAbsent: IsAbsent = () => false,
): Sidebars {
  const absent = { ids, isAbsent }
  return Object.fromEntries(
    Object.entries(sidebars).map(([name, items]) => [name, sidebarItems(items, absent)]),
  )
}

/** A list of items, or the short form of one: an object whose keys are labels of categories. */
function sidebarItems(items: unknown, absent: Absent): unknown {
  if (Array.isArray(items)) return items.flatMap((item) => sidebarItem(item, absent))
  return typeof items === 'object' && items !== null ? withoutEmpty(items, absent) : items
}

function sidebarItem(item: unknown, absent: Absent): readonly unknown[] {
  const { ids } = absent
  if (typeof item === 'string') return ids.has(item) ? [] : [item]
  if (typeof item !== 'object' || item === null) return [item]
  if (!('type' in item)) {
    const kept = withoutEmpty(item, absent)
    return Object.keys(kept).length === 0 ? [] : [kept]
  }
  const { type, id, href, link, items, ...others }: Sidebars = { ...item }
  if (type === 'doc' || type === 'ref') return ids.has(String(id)) ? [] : [item]
  if (type === 'link') return absent.isAbsent(href) ? [] : [item]
  if (type !== 'category') return [item]
  const kept = sidebarItems(items, absent)
  const own = ids.has(String(Object(link).id)) ? undefined : link
  if (!isEmptied(items, kept))
    return [{ type, ...others, ...(own !== undefined && { link: own }), items: kept }]
  return Object(own).type === 'doc' ? [{ type: 'doc', id: Object(own).id, label: others.label }] : []
}

function withoutEmpty(categories: object, absent: Absent): Sidebars {
  const kept = Object.entries(categories).map(
    ([label, items]) => [label, items, sidebarItems(items, absent)] as const,
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
