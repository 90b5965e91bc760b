import type { Page, Plan } from '../plan/make-plan.ts'
import { chunkComponents, listPageRequests, type ModuleNames, mapTree } from '../plan/name-modules.ts'
import type { ModuleTree, PageInfo, SidebarItem } from '../wire.ts'

/** A page as the server bundle loads it: module names are keys of the bundled list of pages. */
export interface ServerPage extends PageInfo {
  modules: ModuleTree
  /** Chunks of the server bundle with the page's modules and the layouts around it. */
  chunks: string[]
}

/** What the server bundle reads about the site, rather than holding it: an edit then leaves the bundle as it was. */
export interface ServerSite {
  pages: ServerPage[]
  nodes: { [ref: string]: SidebarItem[] }
}

/** Takes from the plan what rendering needs. */
export function createServerSite(plan: Plan, names: ModuleNames): ServerSite {
  const componentChunks = chunkComponents(plan, names)
  const layoutChunks = plan.layouts.map(({ modules }) => componentChunks.get(String(modules.__comp)) ?? '')
  const createPage = ({ key: _key, ...page }: Page): ServerPage => {
    const component = componentChunks.get(String(page.modules.__comp)) ?? ''
    const own = listPageRequests(page.modules).map((request) => names.pageModules.get(request) ?? '')
    const around = page.layouts.map((index) => layoutChunks[index] ?? '')
    const chunks = [...new Set([component, ...around, ...own])].sort()
    return { ...page, modules: nameModules(page, names), chunks }
  }
  return { pages: plan.pages.map(createPage), nodes: Object.fromEntries(plan.nodes) }
}

function nameModules({ modules }: Pick<Page, 'modules'>, names: ModuleNames): ModuleTree {
  const { __comp, __context, ...own } = modules
  const context =
    __context === undefined
      ? {}
      : { __context: mapTree(__context, (request) => `~${names.contexts.get(request) ?? ''}`) }
  const tree = mapTree(own, (request) => request) as { [slot: string]: ModuleTree }
  return { __comp: `~${names.components.get(String(__comp)) ?? ''}`, ...context, ...tree }
}
