import { createHash } from 'node:crypto'
import type { ModuleTree } from '../wire.ts'
import type { Layout, Plan } from './make-plan.ts'
import type { RequestTree } from './read-generated.ts'

/** How a module of a page reaches the browser. */
export interface ModuleNames {
  /** Components, by their short name: few, named by the client's own code, loaded when first needed. */
  components: Map<string, string>
  /** Small JSON that every page of a plugin shares (route contexts, props of layouts): part of the main bundle. */
  contexts: Map<string, string>
  /** Everything else, with the chunk it belongs to: the page's own, or one shared by several pages. */
  pageModules: Map<string, string>
}

/** Chunk that holds the layouts of documentation pages and the component of the commonest page. */
export const SHELL_CHUNK = 'shell'

/** Pattern of the names of all other chunks of pages: `p` and a hash. */
export const PAGE_CHUNK = 'p[0-9a-f]{8}'

/** Sorts every module of the plan into one of the three kinds. */
export function nameModules(plan: Plan): ModuleNames {
  const names: ModuleNames = { components: new Map(), contexts: new Map(), pageModules: new Map() }
  for (const { modules } of [...plan.layouts, ...plan.pages]) name(names.components, modules.__comp, 'c')
  for (const layout of plan.layouts) name(names.contexts, omitVersion(layout), 'x')
  for (const { modules } of plan.pages) name(names.contexts, modules.__context, 'x')
  const users = new Map<string, string[]>()
  for (const page of plan.pages) {
    for (const request of listPageRequests(page.modules))
      users.set(request, [...(users.get(request) ?? []), page.key])
  }
  for (const [request, [first = '', ...others]] of users) {
    names.pageModules.set(request, `p${hash(others.length === 0 ? first : request)}`)
  }
  return names
}

/** A layout's modules other than its component and the version that the plan took apart. */
export function omitVersion({ modules, version }: Layout): { [key: string]: RequestTree } {
  const { __comp, __props, ...others } = modules
  return version === null && __props !== undefined ? { ...others, __props } : others
}

/** Requests of a page's own modules. */
export function listPageRequests(modules: { [key: string]: RequestTree }): string[] {
  const own = Object.entries(modules).filter(([slot]) => slot !== '__comp' && slot !== '__context')
  return [...new Set(own.flatMap(([, tree]) => listRequests(tree)))]
}

/** Replaces each request of a tree by what `toName` calls it. */
export function mapTree(tree: RequestTree, toName: (request: string) => string): ModuleTree {
  if (typeof tree === 'string') return toName(tree)
  if (Array.isArray(tree)) return tree.map((child) => mapTree(child, toName))
  return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, mapTree(child, toName)]))
}

/** Chunk of each component: documentation pages need the layouts and one leaf, so those travel together. */
export function chunkComponents(plan: Plan, names: ModuleNames): Map<string, string> {
  const shell = new Set(plan.layouts.map(({ modules }) => String(modules.__comp)))
  const uses = new Map<string, number>()
  for (const { layouts, modules } of plan.pages) {
    if (layouts.length > 0) uses.set(String(modules.__comp), (uses.get(String(modules.__comp)) ?? 0) + 1)
  }
  const [commonest] = [...uses].sort((a, b) => b[1] - a[1])
  if (commonest !== undefined) shell.add(commonest[0])
  const chunks = new Map<string, string>()
  for (const [request, short] of names.components)
    chunks.set(request, shell.has(request) ? SHELL_CHUNK : short)
  return chunks
}

function name(into: Map<string, string>, tree: RequestTree | undefined, prefix: string): void {
  if (tree === undefined) return
  for (const request of listRequests(tree)) if (!into.has(request)) into.set(request, `${prefix}${into.size}`)
}

function listRequests(tree: RequestTree): string[] {
  if (typeof tree === 'string') return [tree]
  return Object.values(tree).flatMap(listRequests)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
