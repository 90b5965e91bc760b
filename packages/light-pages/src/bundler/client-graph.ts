import type { Layout, Plan } from '../plan/make-plan.ts'
import { chunkComponents, type ModuleNames, mapTree, omitVersion } from '../plan/name-modules.ts'
import type { ModuleTree } from '../wire.ts'

/** Name of the chunk that only tells the bundler which pages exist; it is read and then dropped. */
export const PAGES_CHUNK = 'sekisho-pages'

/** Source of the module that the client's own code imports: components, contexts and layouts. */
export function writeShared(plan: Plan, names: ModuleNames): string {
  const chunks = chunkComponents(plan, names)
  const components = [...names.components].map(
    ([request, short]) => `  ${short}: () => ${lazy(request, chunks.get(request) ?? short)},`,
  )
  return writeModule(plan, names, components)
}

/** The same for the server, which finds components where it finds pages: what every page shares names none of them. */
export function writeServerShared(plan: Plan, names: ModuleNames): string {
  return writeModule(plan, names, [])
}

function writeModule(plan: Plan, names: ModuleNames, components: readonly string[]): string {
  const contexts = [...names.contexts].map(
    ([request, short]) => `import ${short} from ${JSON.stringify(request)}`,
  )
  const layouts = plan.layouts.map((layout, index) => `  ${writeLayout(layout, names, index)},`)
  const versions = plan.layouts.flatMap(({ version }, index) =>
    version === null ? [] : [`import version${index} from './version-${index}.json'`],
  )
  return [
    ...contexts,
    ...versions,
    `export const components = {\n${[...components, "  notFound: () => import('@theme/NotFound'),"].join('\n')}\n}`,
    `export const contexts = { ${[...names.contexts.values()].join(', ')} }`,
    `export const home = ${JSON.stringify(plan.home)}`,
    `export const layouts = [\n${layouts.join('\n')}\n]`,
    `export const loadPages = () => import(/* webpackChunkName: "${PAGES_CHUNK}" */ './pages')`,
    '',
  ].join('\n')
}

/**
 * Source of the module with one `import()` per module of a page, by which the bundler makes their chunks. The client
 * drops it again; the server loads pages through it.
 */
export function writePages(plan: Plan, names: ModuleNames): string {
  const chunks = chunkComponents(plan, names)
  const lines = [...names.pageModules].map(
    ([request, chunk]) => `  ${JSON.stringify(request)}: () => ${lazy(request, chunk)},`,
  )
  const components = [...names.components].map(
    ([request, short]) => `  "~${short}": () => ${lazy(request, chunks.get(request) ?? short)},`,
  )
  return `export default {\n${[...components, ...lines].join('\n')}\n}\n`
}

function writeLayout(layout: Layout, names: ModuleNames, index: number): string {
  const fields = [
    `path: ${JSON.stringify(layout.path)}`,
    `attributes: ${JSON.stringify(layout.attributes)}`,
    `modules: ${JSON.stringify(nameLayoutModules(layout, names))}`,
    ...(layout.version === null ? [] : [`version: version${index}`]),
  ]
  return `{ ${fields.join(', ')} }`
}

function nameLayoutModules(layout: Layout, names: ModuleNames): ModuleTree {
  const others = mapTree(omitVersion(layout), (request) => `~${names.contexts.get(request) ?? ''}`)
  return { __comp: `~${names.components.get(String(layout.modules.__comp)) ?? ''}`, ...(others as object) }
}

function lazy(request: string, chunk: string): string {
  return `import(/* webpackChunkName: "${chunk}" */ ${JSON.stringify(request)})`
}
