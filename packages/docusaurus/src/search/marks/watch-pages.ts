import type { ClientModule } from '@docusaurus/types'
import { hasGate } from '../../session/tab-session.ts'

/** The title is set, and tabs and folds are laid out, a little after the page is there. */
const SETTLE_MS = 250

let timer: ReturnType<typeof setTimeout> | undefined

/** Loads what marks and remembers a page once that page has settled, so that no page waits for it. */
export function onRouteDidUpdate({
  location,
  previousLocation,
}: Parameters<NonNullable<ClientModule['onRouteDidUpdate']>>[0]): void {
  if (!hasGate) return
  const isSamePage = location.pathname === previousLocation?.pathname
  const { pathname } = new URL(location.pathname, window.location.href) // the router decodes, the address bar does not
  clearTimeout(timer)
  timer = setTimeout(() => {
    import('./settle-page.ts').then(
      ({ settlePage }) => settlePage(pathname, isSamePage),
      () => undefined, // the page is there; only its marks are not
    )
  }, SETTLE_MS)
}
