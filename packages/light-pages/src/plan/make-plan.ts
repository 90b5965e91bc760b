import { type GlobalDoc, type Json, type PageInfo, pathKey, type SidebarItem } from '../wire.ts'
import { type CutSidebar, cutSidebar } from './cut-sidebar.ts'
import { findCards } from './find-cards.ts'
import { listGlobalDocs } from './global-data.ts'
import type { Generated, GeneratedRoute, RequestTree } from './read-generated.ts'

/** A route with child routes: the component around pages, kept mounted between them. */
export interface Layout {
  key: string
  path: string
  attributes: { [key: string]: Json }
  modules: { [key: string]: RequestTree }
  /** Present on the route that carries a docs version; without sidebars and the map of documents. */
  version: VersionProps | null
}

/** A docs version's props as the docs plugin writes them. */
export interface VersionProps {
  docsSidebars: { [name: string]: SidebarItem[] }
  docs: { [id: string]: { id: string; title: string; description?: string; sidebar?: string } }
  [key: string]: unknown
}

/** A route without children. */
export interface Page extends PageInfo {
  key: string
  modules: { [key: string]: RequestTree }
}

/** The site taken apart: few layouts, many pages, and the sidebar nodes that pages name. */
export interface Plan {
  /** Path of the home page; null where a site has none, as breadcrumbs want to know. */
  home: string | null
  layouts: Layout[]
  pages: Page[]
  nodes: Map<string, SidebarItem[]>
}

/** What the plan needs from outside the generated files. */
export interface PlanSources {
  baseUrl: string
  /** Reads the JSON behind a module request of a layout's props. */
  readProps(request: string): { [key: string]: unknown }
  /** Source text of a page's content, or null when it is not a file of the site. */
  readContent(request: string): string | null
}

/** Takes the generated site apart. */
export function makePlan(generated: Generated, sources: PlanSources): Plan {
  const plan: Plan = { home: null, layouts: [], pages: [], nodes: new Map() }
  const globalDocs = listGlobalDocs(generated.globalData)
  const visit = (route: GeneratedRoute, layouts: readonly Surrounding[]): void => {
    const modules = generated.modules.get(route.key) ?? {}
    if (route.routes.length === 0) {
      if (route.path === sources.baseUrl) plan.home = route.path
      plan.pages.push(createPage(route, { modules, layouts, globalDocs, sources }))
      return
    }
    const layout = { ...route, modules, version: readVersion(modules, sources) }
    const { key, path, attributes, version } = layout
    plan.layouts.push({ key, path, attributes, modules, version })
    const inside = [...layouts, { index: plan.layouts.length - 1, version, sidebars: cutAll(version, plan) }]
    for (const child of route.routes) visit(child, inside)
  }
  for (const route of generated.routes) visit(route, [])
  return plan
}

interface Surrounding {
  index: number
  version: VersionProps | null
  sidebars: ReadonlyMap<string, CutSidebar>
}

function readVersion(modules: { [key: string]: RequestTree }, sources: PlanSources): VersionProps | null {
  if (typeof modules.__props !== 'string') return null
  const { version } = sources.readProps(modules.__props) as { version?: VersionProps }
  return version?.docsSidebars === undefined || version.docs === undefined ? null : version
}

function cutAll(version: VersionProps | null, plan: Plan): ReadonlyMap<string, CutSidebar> {
  const sidebars = new Map<string, CutSidebar>()
  for (const [name, items] of Object.entries(version?.docsSidebars ?? {})) {
    const cut = cutSidebar(items)
    for (const [ref, node] of cut.nodes) plan.nodes.set(ref, node)
    sidebars.set(name, cut)
  }
  return sidebars
}

interface PageContext {
  modules: { [key: string]: RequestTree }
  layouts: readonly Surrounding[]
  globalDocs: ReadonlyMap<string, GlobalDoc[]>
  sources: PlanSources
}

function createPage(route: GeneratedRoute, { modules, layouts, globalDocs, sources }: PageContext): Page {
  const { key, path, attributes } = route
  const page: Page = { key, path, attributes, modules, layouts: layouts.map(({ index }) => index) }
  const docs = globalDocs.get(pathKey(path))
  if (docs !== undefined) page.docs = docs
  const around = layouts.findLast(({ version }) => version !== null)
  if (around?.version == null || typeof attributes.sidebar !== 'string') return page
  const cut = around.sidebars.get(attributes.sidebar)
  if (cut === undefined) return page
  page.sidebar = { name: attributes.sidebar, refs: cut.openOn.get(pathKey(path)) ?? [cut.root] }
  const cards = findCards(page, { cut, version: around.version, sources })
  if (cards !== null) page.cards = cards
  return page
}
