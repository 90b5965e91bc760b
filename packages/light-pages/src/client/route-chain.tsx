import renderRoutes from '@docusaurus/renderRoutes'
import { layouts } from '@generated/sekisho-flat/shared'
import type { ComponentType, ReactNode } from 'react'
import type { DocCard, PageInfo, SidebarItem } from '../wire.ts'

type AnyComponent = ComponentType<{ [key: string]: unknown }>

/** What a page's routes are made from. */
export interface ChainParts {
  page: PageInfo
  component: AnyComponent
  /** The component of each layout: one for the life of the page, so that layouts stay mounted. */
  layoutComponents: readonly AnyComponent[]
  sidebar: SidebarItem[] | null
}

interface Route {
  path: string
  component: AnyComponent
  render?: (props: { [key: string]: unknown }) => ReactNode
  routes?: Route[]
  [attribute: string]: unknown
}

/** Renders one page inside its layouts: the same tree of routes as Docusaurus', with one branch. */
export function renderPage({ page, component, layoutComponents, sidebar }: ChainParts): ReactNode {
  let routes: Route[] = [{ ...page.attributes, path: page.path, component, key: page.path }]
  for (const index of [...page.layouts].reverse()) {
    const layout = layouts[index]
    const Component = layoutComponents[index]
    if (layout === undefined || Component === undefined)
      throw new Error(`Layout ${index} is not part of this build`)
    const route: Route = { ...layout.attributes, path: layout.path, component: Component, routes }
    if (layout.version !== undefined) {
      const version = createVersion(layout.version.version, page, sidebar)
      route.render = (props) => <Component {...props} version={version} />
    }
    routes = [route]
  }
  return renderRoutes(routes as unknown as Parameters<typeof renderRoutes>[0])
}

function createVersion(
  base: { [key: string]: unknown },
  page: PageInfo,
  sidebar: SidebarItem[] | null,
): object {
  const docsSidebars = page.sidebar === undefined || sidebar === null ? {} : { [page.sidebar.name]: sidebar }
  return { ...base, docsSidebars, docs: createDocs(page.cards ?? {}) }
}

/** `useDocById` throws for an unknown document, so one that was not sent is there without its description. */
function createDocs(cards: { [id: string]: DocCard }): { [id: string]: DocCard } {
  return new Proxy(cards, { get: (known, id: string) => known[id] ?? { id, title: '' } })
}
