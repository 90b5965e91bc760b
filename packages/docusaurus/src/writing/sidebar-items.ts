/** As much of the docs plugin's sidebars as is needed here. */
interface SidebarItem {
  readonly type: string
  readonly items?: readonly SidebarItem[]
}

interface GeneratorArgs<Doc, Item> {
  readonly item: { readonly customProps?: unknown }
  readonly docs: readonly Doc[]
  readonly defaultSidebarItemsGenerator: (args: never) => readonly Item[] | Promise<readonly Item[]>
}

/** Behind every position that somebody writes. */
const LAST = 1_000_000

/**
 * The docs plugin's `sidebarItemsGenerator`: pages and folders stand in the sidebar by themselves, those with a `sidebar_position`
 * first, the others by title. With `customProps: { asReferences: true }` the pages of a folder are listed without belonging there.
 */
export async function sidebarItems<
  Doc extends { readonly title: string; readonly sidebarPosition?: number | undefined },
  Item extends SidebarItem,
>(args: GeneratorArgs<Doc, Item>): Promise<Item[]> {
  const byTitle = args.docs.toSorted((a, b) => a.title.localeCompare(b.title, 'ja'))
  const docs = byTitle.map((doc, at) => ({ ...doc, sidebarPosition: doc.sidebarPosition ?? LAST + at }))
  const items = await args.defaultSidebarItemsGenerator({ ...args, docs } as never)
  const { asReferences } = Object(args.item.customProps)
  return asReferences === true ? items.map(asReference) : [...items]
}

function asReference<Item extends SidebarItem>(item: Item): Item {
  if (item.type === 'doc') return { ...item, type: 'ref' }
  return item.items === undefined ? item : { ...item, items: item.items.map(asReference) }
}
