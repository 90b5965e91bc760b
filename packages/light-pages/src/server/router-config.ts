import { matchRoutes as matchOriginal, type RouteConfig } from '@light-pages/router-config'
import routes, { preloadPage } from './routes.tsx'

export { renderRoutes } from '@light-pages/router-config'

/** As react-router-config's, but for the whole site it looks the page up instead of trying every route. */
export function matchRoutes(table: RouteConfig[], pathname: string): unknown[] {
  if ((table as unknown) !== routes) return matchOriginal(table, pathname)
  const route = { path: pathname, exact: true, component: { preload: () => preloadPage(pathname) } }
  return [{ route, match: { path: pathname, url: pathname, isExact: true, params: {} } }]
}
