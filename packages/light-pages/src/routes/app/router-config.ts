import { openPage, peekPage } from '@light-pages/pages'
import { matchRoutes as matchOriginal, type RouteConfig } from '@light-pages/router-config'
import { MISSING, pathKey } from '../model.ts'
import routes from './routes.tsx'

export { renderRoutes } from '@light-pages/router-config'

/** As react-router-config's, but for the whole site it asks the pages that are open and can load others. */
export function matchRoutes(table: RouteConfig[], pathname: string): unknown[] {
  if ((table as unknown) !== routes) return matchOriginal(table, pathname)
  const page = peekPage(pathname)
  const path = page?.record?.path ?? pathname
  // Of an address that is not exact Docusaurus drops `.html` and spaces around it; a missing page is what the requested one shows.
  const isExact = page !== null && (path === MISSING || pathKey(path) === pathKey(pathname))
  const route = { path, exact: isExact, component: { preload: () => openPage(pathname) } }
  return [{ route, match: { path: route.path, url: pathname, isExact, params: {} } }]
}
