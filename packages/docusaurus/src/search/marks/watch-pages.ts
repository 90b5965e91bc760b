import type { ClientModule } from '@docusaurus/types'
import { hasSearch } from '../open-search.ts'

/** The title is set, and tabs and details are rendered, shortly after the route has changed. */
const PAGE_READY_MS = 250

let timer: ReturnType<typeof setTimeout> | undefined

/** Loads the code that marks and remembers a page once that page is ready, so that navigation never waits for it. */
export function onRouteDidUpdate({
  location,
  previousLocation,
}: Parameters<NonNullable<ClientModule['onRouteDidUpdate']>>[0]): void {
  if (!hasSearch) return
  const isSamePage = location.pathname === previousLocation?.pathname
  const { pathname } = new URL(location.pathname, window.location.href) // the router decodes, the address bar does not
  clearTimeout(timer)
  timer = setTimeout(() => {
    import('./after-page-shown.ts').then(
      ({ afterPageShown }) => afterPageShown(pathname, isSamePage),
      () => undefined, // the page works without marks
    )
  }, PAGE_READY_MS)
}
