import { useLocation } from '@docusaurus/router'
import { components, contexts, layouts, loadPages } from '@generated/sekisho-flat/shared'
import type { ComponentType, ReactNode } from 'react'
import { preinit } from 'react-dom'
import type { ServerPage } from '../bundler/server-site.ts'
import { addGlobalDocs } from '../client/global-docs.ts'
import { loadTree } from '../client/load-tree.ts'
import { createOneRoute } from '../client/one-route.ts'
import { openSidebar } from '../client/open-sidebar.ts'
import { renderPage } from '../client/route-chain.tsx'
import { createRoute, type LoadedModules, NotFoundRoute } from '../client/route-component.tsx'
import { unwrapModule } from '../client/unwrap-module.ts'
import { FIRST_PAGE_ID, pathKey } from '../wire.ts'
import { findPage, readNodes, startPage } from './site-files.ts'

export default createOneRoute(FlatRoutes)

const loaded = new Map<string, LoadedModules>()
const layoutModules: LoadedModules[] = []
const layoutComponents = layouts.map((_, index) => createRoute(() => layoutModules[index] ?? {}))

/** Loads the modules of a page before it is rendered. */
export async function preloadPage(pathname: string): Promise<void> {
  const page = findPage(pathname)
  const tree = page === undefined ? '~notFound' : page.modules
  const around = (page?.layouts ?? []).filter((index) => layoutModules[index] === undefined)
  const [modules] = await Promise.all([
    loadTree(tree, loadModule),
    ...around.map(async (index) => {
      const { modules = {} } = layouts[index] ?? {}
      layoutModules[index] = (await loadTree(modules, loadModule)) as LoadedModules
    }),
  ])
  loaded.set(pathKey(pathname), page === undefined ? { __comp: modules } : (modules as LoadedModules))
}

async function loadModule(name: string): Promise<unknown> {
  const short = name.slice(1)
  if (name.startsWith('~') && contexts[short] !== undefined) return contexts[short]
  const load = components[short] ?? (await loadPages()).default[name]
  return unwrapModule((await load?.()) ?? {}, name)
}

function FlatRoutes(): ReactNode {
  const { pathname } = useLocation()
  const page = findPage(pathname)
  const modules = loaded.get(pathKey(pathname)) ?? {}
  const { first, scripts } = startPage(page)
  for (const script of scripts) preinit(script, { as: 'script' })
  return (
    <>
      {page === undefined ? <NotFoundRoute modules={modules} /> : render(page, modules)}
      <script
        id={FIRST_PAGE_ID}
        type="application/json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which no tag can begin
        dangerouslySetInnerHTML={{ __html: JSON.stringify(first).replaceAll('<', '\\u003c') }}
      />
    </>
  )
}

/** Docusaurus renders 32 pages at a time. */
const MAX_RENDERED = 40

const leaves = new WeakMap<LoadedModules, ComponentType<{ [key: string]: unknown }>>()

function render(page: ServerPage, modules: LoadedModules): ReactNode {
  addGlobalDocs(page.docs ?? [], MAX_RENDERED)
  const component = leaves.get(modules) ?? createRoute(() => modules)
  leaves.set(modules, component)
  const refs = page.sidebar?.refs
  const nodes = readNodes()
  const sidebar =
    refs === undefined ? null : openSidebar(nodes.get(refs[0] ?? '') ?? [], new Set(refs), nodes)
  return renderPage({ page, component, layoutComponents, sidebar })
}
