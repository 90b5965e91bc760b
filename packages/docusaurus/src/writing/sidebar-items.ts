/** As much of the docs plugin's sidebars as is needed here. */
interface SidebarItem {
  readonly type: string
  readonly items?: readonly SidebarItem[]
}

interface GeneratorArgs<Doc, Item> {
  readonly item: { readonly customProps?: unknown }
  readonly docs: readonly Doc[]
  /** Contents of `_category_.json` files, by folder. */
  readonly categoriesMetadata: Readonly<Record<string, { readonly label?: string | undefined }>>
  readonly defaultSidebarItemsGenerator: (args: never) => readonly Item[] | Promise<readonly Item[]>
}

interface SidebarDoc {
  readonly title: string
  readonly sidebarPosition?: number | undefined
  /** With its ending, after `@site/`. */
  readonly source: string
  /** Folder below the documents' own; `.` for that one. */
  readonly sourceDirName: string
  readonly frontMatter: { readonly sidebar_label?: string | undefined }
}

/** Position after every written one. */
const LAST = 1_000_000

/**
 * The docs plugin's `sidebarItemsGenerator`: pages and folders enter the sidebar automatically, first by `sidebar_position`, then by title.
 * Unnamed folders take their first page's name. With `customProps: { asReferences: true }` pages of a folder are listed without belonging
 * there.
 */
export async function sidebarItems<Doc extends SidebarDoc, Item extends SidebarItem>(
  args: GeneratorArgs<Doc, Item>,
): Promise<Item[]> {
  const byTitle = args.docs.toSorted((a, b) => a.title.localeCompare(b.title, 'ja'))
  const docs = byTitle.map((doc, at) => ({ ...doc, sidebarPosition: doc.sidebarPosition ?? LAST + at }))
  const items = await args.defaultSidebarItemsGenerator({
    ...args,
    docs,
    categoriesMetadata: withLabels(args.categoriesMetadata, docs),
  } as never)
  const { asReferences } = Object(args.item.customProps)
  return asReferences === true ? items.map(asReference) : [...items]
}

/** A folder with an index page has that page's name already. */
const INDEX_PAGE = /(?:^|\/)(?:index|readme|([^/]+)\/\1)\.mdx?$/i

function withLabels<Metadata extends { readonly label?: string | undefined }>(
  named: Readonly<Record<string, Metadata>>,
  docs: readonly (SidebarDoc & { readonly sidebarPosition: number })[],
): Readonly<Record<string, Metadata | { readonly label: string }>> {
  const labels = new Map<string, string>()
  const indexed = new Set(
    docs.filter(({ source }) => INDEX_PAGE.test(source)).map((doc) => doc.sourceDirName),
  )
  for (const { sourceDirName, title, frontMatter } of docs.toSorted(
    (a, b) => a.sidebarPosition - b.sidebarPosition,
  ))
    for (const folder of foldersOf(sourceDirName)) {
      const isNamed = named[folder]?.label !== undefined || indexed.has(folder) || labels.has(folder)
      if (!isNamed) labels.set(folder, frontMatter.sidebar_label ?? title)
    }
  return {
    ...named,
    ...Object.fromEntries([...labels].map(([folder, label]) => [folder, { ...named[folder], label }])),
  }
}

/** `a` and `a/b` for `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '.')
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

function asReference<Item extends SidebarItem>(item: Item): Item {
  if (item.type === 'doc') return { ...item, type: 'ref' }
  return item.items === undefined ? item : { ...item, items: item.items.map(asReference) }
}
