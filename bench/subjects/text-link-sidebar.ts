import type { Category } from '../corpus/tree.ts'

/** A sidebar entry as VitePress and Rspress both write it. */
export interface Entry {
  text: string
  link?: string
  collapsible?: boolean
  collapsed?: boolean
  items?: Entry[]
}

/** The corpus as a sidebar: pages, then categories, which start closed. */
export function toSidebar(category: Category, path: string): Entry[] {
  const pages = category.pages.map(({ title, slug }) => ({ text: title, link: `${path}/${slug}` }))
  const inside = category.categories.map((child) => {
    const address = `${path}/${child.slug}`
    const link = child.index === null ? {} : { link: `${address}/` }
    const items = toSidebar(child, address)
    return { text: child.label, ...link, collapsible: true, collapsed: true, items }
  })
  return [...pages, ...inside]
}
