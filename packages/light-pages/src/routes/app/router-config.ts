import { openPage, peekPage } from '@light-pages/pages'
import { matchRoutes as matchOriginal, type RouteConfig } from '@light-pages/router-config'
import { pathKey } from '../model.ts'
import routes from './routes.tsx'

export { renderRoutes } from '@light-pages/router-config'

/** As react-router-config's, but for the whole site it asks the pages that are open and can load others. */
export function matchRoutes(table: RouteConfig[], pathname: string): unknown[] {
  if ((table as unknown) !== routes) return matchOriginal(table, pathname)
  const path = peekPage(pathname)?.record?.path
  const isExact = path !== undefined && pathKey(path) === pathKey(pathname)
  const route = { path: path ?? pathname, exact: isExact, component: { preload: () => openPage(pathname) } }
  return [{ route, match: { path: route.path, url: pathname, isExact, params: {} } }]
}
