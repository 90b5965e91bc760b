import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPending, openSidebar } from './app/open-sidebar.ts'
import { cutSidebar } from './cut-sidebar.ts'
import { pathKey, type SidebarItem } from './model.ts'

const link = fc.record({
  type: fc.constant('link'),
  href: fc.webPath().map((path) => `/docs${path}`),
  label: fc.string(),
})
const { items: sidebars } = fc.letrec<{ items: SidebarItem[]; item: SidebarItem }>((tie) => ({
  items: fc.array(tie('item'), { maxLength: 4 }),
  item: fc.oneof(
    { maxDepth: 4 },
    link,
    fc.record({
      type: fc.constant('category'),
      label: fc.string(),
      collapsible: fc.boolean(),
      collapsed: fc.boolean(),
      items: tie('items'),
    }),
  ) as fc.Arbitrary<SidebarItem>,
}))

describe('a cut sidebar', () => {
  it('is the whole sidebar again once every node is open', () => {
    fc.assert(
      fc.property(sidebars, (items) => {
        const { root, nodes } = cutSidebar(items, 'docs')
        const opened = openSidebar(nodes.get(root) ?? [], new Set(nodes.keys()), { nodes })
        expect(withoutRefs(opened)).toEqual(items)
      }),
    )
  })

  it('shows on each page the way from the top to it', () => {
    fc.assert(
      fc.property(sidebars, (items) => {
        const { nodes, openOn } = cutSidebar(items, 'docs')
        for (const href of listHrefs(items)) {
          const [root = '', ...rest] = openOn.get(pathKey(href)) ?? []
          const shown = openSidebar(nodes.get(root) ?? [], new Set([root, ...rest]), { nodes })
          expect(listHrefs(shown)).toContain(href)
        }
      }),
    )
  })
})

const closed: SidebarItem = {
  type: 'category',
  label: '運用',
  collapsible: true,
  collapsed: true,
  items: [
    { type: 'link', href: '/docs/hidden', unlisted: true },
    { type: 'link', href: '/docs/first' },
  ],
}

describe('a category that is not open', () => {
  const { root, nodes } = cutSidebar([closed], 'docs')
  const counts = Object.fromEntries([...nodes].map(([ref, items]) => [ref, items.length]))
  const [category] = openSidebar(nodes.get(root) ?? [], new Set(), { nodes, counts })

  it('has as many entries as a page counts for its cards, and leads to the first that is listed', () => {
    expect(category?.items).toHaveLength(2)
    expect(category?.items?.[0]?.href).toBe('/docs/first')
  })

  it('says of its entries that they are still to come', () => {
    expect(category?.items?.every(isPending)).toBe(true)
  })

  it('stays hidden when nothing inside is listed', () => {
    const hidden: SidebarItem = { ...closed, items: [{ type: 'link', href: '/docs/hidden', unlisted: true }] }
    const cut = cutSidebar([hidden], 'docs')
    expect(cut.nodes.get(cut.root)?.[0]).toMatchObject({ hidden: true })
  })
})

it('leaves the slices above a changed category as they were', () => {
  const category: SidebarItem = { ...closed, href: '/docs/category' }
  const changed = { ...category, items: [{ type: 'link', href: '/docs/new' }, ...(closed.items ?? [])] }
  const before = cutSidebar([category], 'docs')
  const after = cutSidebar([changed], 'docs')
  expect(after.root).toBe(before.root)
  expect(after.nodes.get(after.root)).toEqual(before.nodes.get(before.root))
  expect([...after.nodes.keys()]).toEqual([...before.nodes.keys()])
  expect(after.nodes).not.toEqual(before.nodes)
})

it('tells categories of one label and sidebars of one shape apart', () => {
  const { nodes } = cutSidebar([closed, closed], 'docs')
  expect(nodes.size).toBe(3)
  expect(cutSidebar([closed, closed], 'api').nodes.keys().toArray()).not.toContain([...nodes.keys()][0])
})

function withoutRefs(items: readonly SidebarItem[]): SidebarItem[] {
  return items.map(({ ref: _ref, first: _first, hidden: _hidden, ...item }) =>
    item.items === undefined ? item : { ...item, items: withoutRefs(item.items) },
  )
}

function listHrefs(items: readonly SidebarItem[]): string[] {
  return items.flatMap(({ href, items: inside, pending }) => [
    ...(href === undefined || pending !== undefined ? [] : [href]),
    ...listHrefs(inside ?? []),
  ])
}
