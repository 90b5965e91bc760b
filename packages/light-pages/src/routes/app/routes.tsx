import { RouteContextProvider } from '@docusaurus/core/lib/client/routeContext.js'
import renderRoutes from '@docusaurus/renderRoutes'
import { useLocation } from '@docusaurus/router'
import globalData from '@generated/globalData'
import { home, layouts } from '@generated/light-pages/layouts'
import { openPage, peekPage, readSidebar, readStart, restoreSidebar } from '@light-pages/pages'
import Loading from '@theme/Loading'
import { type ComponentType, type ReactNode, useEffect, useReducer, version } from 'react'
import { type DocCard, FIRST_PAGE_ID, type GlobalDoc, type Json, NO_PLUGIN, type PageInfo } from '../model.ts'
import type { LoadedModules, OpenPage } from './open-page.ts'

type Component = ComponentType<{ [prop: string]: unknown }>

/**
 * React 19 takes scripts out of the tree that it hydrates. React 18 leaves them in it, where the bundler's runtime removes each
 * once it has run: there they are found by the main script, as in stock.
 */
const hoistsScripts = Number.parseInt(version, 10) >= 19

const all = { path: '/', component: LightRoutes }

/**
 * The route table as Docusaurus sees it: one route for every address. The second never matches first; it shows callers such as breadcrumbs
 * that the site has a home page.
 */
export default home === null ? [all] : [all, { path: home, component: LightRoutes, exact: true }]

function LightRoutes(): ReactNode {
  const { pathname } = useLocation()
  const page = usePage(pathname)
  const { text, scripts } = readStart(pathname)
  return (
    <>
      {page === null ? (
        <Loading isLoading pastDelay={false} timedOut={false} error={null} retry={() => {}} />
      ) : (
        renderPage(page)
      )}
      <script
        id={FIRST_PAGE_ID}
        type="application/json"
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which no tag can begin
        dangerouslySetInnerHTML={{ __html: text }}
      />
      {hoistsScripts && scripts.map((script) => <script key={script} async src={script} />)}
    </>
  )
}

/** Navigation loads a page before it is shown; anything else that changes the address loads it here. */
function usePage(pathname: string): OpenPage | null {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const page = peekPage(pathname)
  useEffect(() => {
    if (page === null) openPage(pathname).then(refresh, () => window.location.reload())
  }, [page, pathname])
  useEffect(() => {
    restoreSidebar().then(
      (isOther) => isOther && refresh(),
      () => undefined,
    )
  }, [])
  return page
}

interface Route {
  path?: string
  component: Component
  render?: (props: { [prop: string]: unknown }) => ReactNode
  routes?: Route[]
  [attribute: string]: unknown
}

const layoutModules: { [index: number]: LoadedModules } = {}
/** One for the life of the document, so that layouts stay mounted between pages. */
const layoutComponents = layouts.map(({ context }, index) =>
  createRoute(() => layoutModules[index] ?? {}, context),
)
const leaves = new WeakMap<OpenPage, Component>()

/** Renders one page inside its layouts: the same tree of routes as Docusaurus', with one branch. */
function renderPage(page: OpenPage): ReactNode {
  const { record, modules } = page
  Object.assign(layoutModules, page.layouts)
  const Leaf = leaves.get(page) ?? createRoute(() => modules, record === null ? NO_PLUGIN : record.context)
  leaves.set(page, Leaf)
  if (record === null) return <Leaf />
  addGlobalDocs(record.docs ?? [])
  const leaf: Route = { ...record.attributes, path: record.path, component: Leaf, key: record.path }
  const routes = record.layouts.reduceRight<Route[]>(
    (inside, index) => {
      const layout = layouts[index]
      const Layout = layoutComponents[index]
      if (layout === undefined || Layout === undefined)
        throw new Error(`Layout ${index} is not part of this build`)
      const { attributes, props } = layout
      const own =
        props.version === undefined ? props : { ...props, version: createVersion(props.version, record) }
      const render: Route['render'] = (more) => <Layout {...own} {...more} />
      // Without a path it matches every address: there is one branch, and its leaf says which.
      return [{ ...attributes, component: Layout, render, routes: inside }]
    },
    [leaf],
  )
  return renderRoutes(routes as unknown as Parameters<typeof renderRoutes>[0])
}

/** The counterpart of Docusaurus' ComponentCreator for modules that are already here. */
function createRoute(read: () => LoadedModules, context: Json | undefined): Component {
  return function Route(props) {
    const { __comp, __props, ...modules } = read()
    const Own = __comp as Component
    return (
      <RouteContextProvider value={(context as never) ?? null}>
        <Own {...modules} {...(__props as object)} {...props} />
      </RouteContextProvider>
    )
  }
}

function createVersion(version: unknown, { sidebar, cards = {}, counts }: PageInfo): object {
  const docsSidebars = sidebar === undefined ? {} : { [sidebar.name]: readSidebar(sidebar.refs, counts) }
  // `useDocById` throws for an unknown document, so one that was not sent is there without its description.
  const docs = new Proxy(cards, { get: (known, id: string): DocCard => known[id] ?? { id, title: '' } })
  return { ...(version as object), docsSidebars, docs }
}

interface Version {
  name: string
  docs: GlobalDoc['doc'][]
}

/** More than the pages that are rendered at the same time (32), few enough to search on every render. */
const MAX_PAGES = 40

const added: [version: Version, doc: GlobalDoc['doc']][][] = []

/**
 * Adds the documents of a page about to be rendered to the docs plugin's global data, where the theme finds the active one. Those of
 * earlier pages stay.
 */
function addGlobalDocs(docs: readonly GlobalDoc[]): void {
  const plugins = (globalData as { [plugin: string]: { [id: string]: { versions: Version[] } } })[
    'docusaurus-plugin-content-docs'
  ]
  const entered: (typeof added)[number] = []
  for (const { plugin, version, doc } of docs) {
    const target = plugins?.[plugin]?.versions.find(({ name }) => name === version)
    const known = target?.docs.find(({ id }) => id === doc.id)
    if (target === undefined || (known !== undefined && known.sidebar === doc.sidebar)) continue
    // Shown beside another sidebar than the last time.
    if (known !== undefined) target.docs.splice(target.docs.indexOf(known), 1)
    target.docs.push(doc)
    entered.push([target, doc])
  }
  if (entered.length > 0) added.push(entered)
  while (added.length > MAX_PAGES) {
    for (const [version, old] of added.shift() ?? []) version.docs = version.docs.filter((doc) => doc !== old)
  }
}
