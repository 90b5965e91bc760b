import { RouteContextProvider } from '@docusaurus/core/lib/client/routeContext'
import type { ComponentType, ReactNode } from 'react'

type Props = { [key: string]: unknown }

/** Modules of a route, ready to be rendered. */
export type LoadedModules = { [slot: string]: unknown }

/** The counterpart of Docusaurus' ComponentCreator for modules that are already here. */
export function createRoute(read: () => LoadedModules): ComponentType<Props> {
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

/** What is shown where the site has no page. */
export function NotFoundRoute({ modules }: { modules: LoadedModules }): ReactNode {
  const Component = modules.__comp as ComponentType<Props>
  return (
    <RouteContextProvider value={{ plugin: { name: 'native', id: 'default' } } as never}>
      <Component />
    </RouteContextProvider>
  )
}
