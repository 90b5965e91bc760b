import { RouteContextProvider } from '@docusaurus/core/lib/client/routeContext'
import { useLocation } from '@docusaurus/router'
import { layouts } from '@generated/sekisho-flat/shared'
import Loading from '@theme/Loading'
import { type ComponentType, type ReactNode, useEffect, useReducer } from 'react'
import { FIRST_PAGE_ID } from '../wire.ts'
import { firstPageText, type LoadedModules, type OpenPage, openPage, peekPage } from './page-store.ts'
import { installPrefetch } from './prefetch.ts'
import { renderPage } from './route-chain.tsx'
import { readSidebar } from './sidebar-store.ts'

type Props = { [key: string]: unknown }

/** The whole route table as far as the browser starts with it: one route that renders whatever page is open. */
const routes = [{ path: '/', component: FlatRoutes }]

export default routes

function FlatRoutes(): ReactNode {
  const { pathname } = useLocation()
  const page = usePage(pathname)
  useEffect(installPrefetch, [])
  return (
    <>
      {page === null ? (
        <Loading isLoading pastDelay={false} timedOut={false} error={null} retry={() => {}} />
      ) : (
        render(page)
      )}
      <script
        id={FIRST_PAGE_ID}
        type="application/json"
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the text the server wrote, as it wrote it
        dangerouslySetInnerHTML={{ __html: firstPageText }}
      />
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
  return page
}

const layoutComponents: ComponentType<Props>[] = layouts.map((_, index) => createLayout(index))
const layoutModules: { [index: number]: LoadedModules } = {}
const components = new WeakMap<OpenPage, ComponentType<Props>>()

function render(page: OpenPage): ReactNode {
  Object.assign(layoutModules, page.layouts)
  if (page.record === null) return <NotFound modules={page.modules} />
  const component = components.get(page) ?? createRoute(() => page.modules)
  components.set(page, component)
  const sidebar = page.record.sidebar === undefined ? null : readSidebar(page.record.sidebar)
  return renderPage({ page: page.record, component, layoutComponents, sidebar })
}

function createLayout(index: number): ComponentType<Props> {
  return createRoute(() => layoutModules[index] ?? {})
}

/** The counterpart of Docusaurus' ComponentCreator for modules that are already here. */
function createRoute(read: () => LoadedModules): ComponentType<Props> {
  // Made once per layout and page, never while rendering.
  return function Route(props: Props) {
    const { __comp, __context, __props, ...modules } = read()
    const Component = __comp as ComponentType<Props>
    return (
      <RouteContextProvider value={(__context as never) ?? null}>
        <Component {...modules} {...(__props as Props)} {...props} />
      </RouteContextProvider>
    )
  }
}

function NotFound({ modules }: { modules: LoadedModules }): ReactNode {
  const Component = modules.__comp as ComponentType<Props>
  return (
    <RouteContextProvider value={{ plugin: { name: 'native', id: 'default' } } as never}>
      <Component />
    </RouteContextProvider>
  )
}
