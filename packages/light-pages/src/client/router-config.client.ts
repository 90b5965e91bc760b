import { matchRoutes as matchOriginal, type RouteConfig } from '@light-pages/router-config'
import { pathKey } from '../wire.ts'
import { openPage, peekPage } from './page-store.ts'
import routes from './routes.client.tsx'

export { renderRoutes } from '@light-pages/router-config'

/** As react-router-config's, but for the whole site it asks the pages that are open and can load others. */
export function matchRoutes(table: RouteConfig[], pathname: string): unknown[] {
  if ((table as unknown) !== routes) return matchOriginal(table, pathname)
  const record = peekPage(pathname)?.record
  const component = { preload: () => openPage(pathname) }
  const isExact = record != null && pathKey(record.path) === pathKey(pathname)
  const route = { path: record?.path ?? pathname, exact: isExact, component }
  return [{ route, match: { path: route.path, url: pathname, isExact, params: {} } }]
}
