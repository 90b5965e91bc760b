import { home } from '@generated/sekisho-flat/shared'
import type { ComponentType } from 'react'

interface Route {
  readonly path: string
  readonly component: ComponentType
  readonly exact?: boolean
}

/**
 * The route table as Docusaurus sees it: one route for every address. The one behind it never matches first; it is
 * there to be found by whoever asks whether the site has a home page, as breadcrumbs do.
 */
export function createOneRoute(component: ComponentType): Route[] {
  const all = { path: '/', component }
  return home === null ? [all] : [all, { path: home, component, exact: true }]
}
