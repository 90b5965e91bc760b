import { useLocation } from '@docusaurus/router'
import { layouts } from '@generated/sekisho-flat/shared'
import Loading from '@theme/Loading'
import { type ComponentType, type ReactNode, useEffect, useReducer } from 'react'
import { FIRST_PAGE_ID } from '../wire.ts'
import { createOneRoute } from './one-route.ts'
import { firstPageText, type OpenPage, openPage, peekPage } from './page-store.ts'
import { installPrefetch } from './prefetch.ts'
import { renderPage } from './route-chain.tsx'
import { createRoute, type LoadedModules, NotFoundRoute } from './route-component.tsx'
import { readSidebar } from './sidebar-store.ts'

type Props = { [key: string]: unknown }

export default createOneRoute(FlatRoutes)

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
  if (page.record === null) return <NotFoundRoute modules={page.modules} />
  const component = components.get(page) ?? createRoute(() => page.modules)
  components.set(page, component)
  const sidebar = page.record.sidebar === undefined ? null : readSidebar(page.record.sidebar)
  return renderPage({ page: page.record, component, layoutComponents, sidebar })
}

function createLayout(index: number): ComponentType<Props> {
  return createRoute(() => layoutModules[index] ?? {})
}
