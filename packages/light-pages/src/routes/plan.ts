import { fileURLToPath } from 'node:url'
import { type CutSidebar, cutSidebar } from './cut-sidebar.ts'
import { type Generated, type GeneratedRoute, mapSlots } from './generated.ts'
import { listGlobalDocs } from './global-data.ts'
import {
  DEBUG_PAGES,
  type DocCard,
  type GlobalDoc,
  type Json,
  MISSING,
  type ModuleSlots,
  type Neighbour,
  NO_PLUGIN,
  type OtherPlace,
  type PageInfo,
  pathKey,
  type SidebarItem,
} from './model.ts'

/** A route with child routes: the component around pages, kept mounted between them. */
export interface Layout {
  attributes: { [key: string]: Json }
  context: Json
  /** Of a docs version without its sidebars and the map of its documents. */
  props: { [key: string]: unknown }
  /** Leaves are requests. */
  modules: ModuleSlots
}

/** A route without children. */
export interface Page extends PageInfo {
  /** Leaves are requests. */
  modules: ModuleSlots
}

/** The site taken apart: few layouts, many pages, and the sidebar slices that pages name. */
export interface Plan {
  /** Path of the home page; null where a site has none, as breadcrumbs want to know. */
  home: string | null
  layouts: Layout[]
  pages: Page[]
  nodes: Map<string, SidebarItem[]>
}

/** Inputs of the plan from outside the generated files. */
export interface PlanSources {
  baseUrl: string
  /** Makes pages carry the entries of closed categories, for sidebars that ours does not draw. */
  isSidebarWhole: boolean
  /** The message for missing pages can stand beside a sidebar, as the theme's does. */
  isMissingBesideSidebar: boolean
  /** Reads a generated JSON module by its request. */
  readJson(request: string): Json
  /** Source text of a page's content, or null when it is not a file of the site. */
  readContent(request: string): string | null
}

/** A docs version's props as the docs plugin writes them. */
interface VersionProps {
  pluginId: string
  version: string
  docsSidebars: { [name: string]: SidebarItem[] }
  docs: { [id: string]: DocCard }
}

interface Surrounding {
  index: number
  version: VersionProps | undefined
  sidebars: ReadonlyMap<string, ListedSidebar>
}

/** Takes the generated site apart. */
export function makePlan({ routes, globalData }: Generated, sources: PlanSources): Plan {
  const plan: Plan = { home: null, layouts: [], pages: [], nodes: new Map() }
  const globalDocs = listGlobalDocs(globalData)
  const visit = (route: GeneratedRoute, around: readonly Surrounding[]): void => {
    if (route.routes.length === 0) {
      if (route.path === sources.baseUrl) plan.home = route.path
      plan.pages.push(createPage(route, { around, globalDocs, sources }))
      return
    }
    const { layout, version } = createLayout(route, sources)
    plan.layouts.push(layout)
    const sidebars = new Map<string, ListedSidebar>()
    for (const [name, items] of Object.entries(version?.docsSidebars ?? {})) {
      const cut = cutSidebar(items, [version?.pluginId, version?.version, name].join())
      for (const [ref, node] of cut.nodes) plan.nodes.set(ref, node)
      sidebars.set(name, { cut, entries: listEntries(items) })
    }
    const inside = [...around, { index: plan.layouts.length - 1, version, sidebars }]
    for (const child of route.routes) visit(child, inside)
  }
  for (const route of routes) if (!route.path.startsWith(sources.baseUrl + DEBUG_PAGES)) visit(route, [])
  plan.pages.push(createMissingPage(plan, sources))
  return plan
}

const MISSING_PAGE = fileURLToPath(new URL('../theme/MissingPage/index.tsx', import.meta.url))

/** The page for unknown addresses: its theme's own, or ours beside the sidebar of the documents. */
function createMissingPage({ pages }: Plan, { isMissingBesideSidebar }: PlanSources): Page {
  const candidates = isMissingBesideSidebar ? pages.filter(({ sidebar }) => sidebar !== undefined) : []
  const beside = candidates.find(({ docs = [] }) => docs[0]?.plugin === 'default') ?? candidates[0]
  if (beside?.sidebar === undefined)
    return {
      path: MISSING,
      attributes: {},
      layouts: [],
      context: NO_PLUGIN,
      modules: { __comp: '@theme/NotFound' },
    }
  const { attributes, layouts, context, sidebar } = beside
  return {
    path: MISSING,
    attributes,
    layouts,
    ...(context !== undefined && { context }),
    sidebar: { ...sidebar, refs: sidebar.refs.slice(0, 1) },
    modules: { __comp: MISSING_PAGE },
  }
}

function createLayout({ attributes, modules }: GeneratedRoute, { readJson }: PlanSources) {
  const { __context = {}, __props, ...others } = modules
  const props = (typeof __props === 'string' ? readJson(__props) : {}) as { version?: VersionProps }
  const { version } = props
  const layout: Layout = {
    attributes,
    props,
    modules: others,
    context: readContext(__context, readJson),
  }
  if (version !== undefined) layout.props = { ...props, version: { ...version, docsSidebars: {}, docs: {} } }
  return { layout, version }
}

interface PageContext {
  around: readonly Surrounding[]
  globalDocs: ReadonlyMap<string, GlobalDoc[]>
  sources: PlanSources
}

function createPage(route: GeneratedRoute, { around, globalDocs, sources }: PageContext): Page {
  const { path, attributes } = route
  const { __context, ...modules } = route.modules
  const page: Page = { path, attributes, modules, layouts: around.map(({ index }) => index) }
  if (__context !== undefined) page.context = readContext(__context, sources.readJson)
  const docs = globalDocs.get(pathKey(path))
  if (docs !== undefined) page.docs = docs
  const { version, sidebars } = around.findLast((layout) => layout.version !== undefined) ?? {}
  const name = String(attributes.sidebar)
  const cut = sidebars?.get(name)?.cut
  if (sidebars === undefined || cut === undefined) return page
  const refs = cut.openOn.get(pathKey(path)) ?? [cut.root]
  const all = sources.isSidebarWhole ? [cut.root, ...cut.nodes.keys()] : refs
  page.sidebar = { name, refs: all }
  const otherPlaces = findOtherPlaces(page, sidebars)
  if (otherPlaces !== null) page.otherPlaces = otherPlaces
  if (!mayShowCards(modules, sources)) return page
  const items = cut.nodes.get(refs.at(-1) ?? '') ?? []
  return { ...page, cards: listCards(items, version?.docs ?? {}), counts: listCounts(items, cut.nodes) }
}

/** A context is small and the same for many pages, so it is not worth a chunk. */
function readContext(context: ModuleSlots[string], readJson: PlanSources['readJson']): Json {
  return mapSlots({ context }, readJson).context as Json
}

/** Content that names the list of cards, or another component that might contain one. */
const MAY_SHOW_CARDS = /DocCard|^import\s.+\sfrom\s+['"](?:\.|@site|@theme)/m

function mayShowCards({ content }: ModuleSlots, { readContent }: PlanSources): boolean {
  return typeof content !== 'string' || MAY_SHOW_CARDS.test(readContent(content) ?? '')
}

/** Card texts for the documents of a sidebar slice. */
function listCards(items: readonly SidebarItem[], docs: VersionProps['docs']): { [id: string]: DocCard } {
  const own = items.flatMap(({ docId = '' }) => docs[docId] ?? [])
  const inside = items.map(({ items: children = [] }) => listCards(children, docs))
  return Object.assign({}, ...inside, Object.fromEntries(own.map((doc) => [doc.id, doc])))
}

/** Number of entries in each closed category of a sidebar slice, shown on cards. */
function listCounts(items: readonly SidebarItem[], nodes: Plan['nodes']): { [ref: string]: number } {
  const own = items.flatMap(({ ref }) =>
    typeof ref === 'string' ? [[ref, nodes.get(ref)?.length ?? 0] as const] : [],
  )
  const inside = items.map(({ items: children = [] }) => listCounts(children, nodes))
  return Object.assign({}, ...inside, Object.fromEntries(own))
}

/** A sidebar and its entries in reading order. */
interface ListedSidebar {
  readonly cut: CutSidebar
  readonly entries: readonly Neighbour[]
}

/** Lists the entries of a sidebar that lead to a page of the site, in reading order. */
function listEntries(items: readonly SidebarItem[]): Neighbour[] {
  return items.flatMap(({ href, label = '', unlisted, linkUnlisted, items: children = [] }) => {
    const isPage = href?.startsWith('/') === true && unlisted !== true && linkUnlisted !== true
    return [...(isPage ? [{ title: label, permalink: href }] : []), ...listEntries(children)]
  })
}

/** Place of a page in the other sidebars of its version; null without any. */
function findOtherPlaces(
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
