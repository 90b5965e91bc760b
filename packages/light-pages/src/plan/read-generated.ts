import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import type { Json } from '../wire.ts'

/** A route of Docusaurus' generated table; `key` is its entry in `routesChunkNames`. */
export interface GeneratedRoute {
  path: string
  key: string
  routes: GeneratedRoute[]
  attributes: { [key: string]: Json }
}

/** Requests of a route's modules, in Docusaurus' own shape. */
export type RequestTree = string | RequestTree[] | { [key: string]: RequestTree }

/** The files Docusaurus generates before bundling, read instead of bundled. */
export interface Generated {
  routes: GeneratedRoute[]
  /** Module requests by route key. */
  modules: ReadonlyMap<string, { [key: string]: RequestTree }>
  globalData: { [plugin: string]: Json }
}

/** Reads `routes.js`, `registry.js`, `routesChunkNames.json` and `globalData.json`. */
export function readGenerated(generatedDir: string): Generated {
  const read = (name: string) => readFileSync(join(generatedDir, name), 'utf8')
  const registry = readRegistry(read('registry.js'))
  const chunkNames = JSON.parse(read('routesChunkNames.json')) as {
    [key: string]: { [key: string]: RequestTree }
  }
  const modules = new Map<string, { [key: string]: RequestTree }>()
  for (const [key, tree] of Object.entries(chunkNames)) {
    modules.set(key, toRequests(tree, registry) as { [key: string]: RequestTree })
  }
  return { routes: readRoutes(read('routes.js')), modules, globalData: JSON.parse(read('globalData.json')) }
}

/** The table is code, not JSON: it is run with a `ComponentCreator` that answers the route's key. */
export function readRoutes(source: string): GeneratedRoute[] {
  const start = source.indexOf('export default [')
  if (start < 0 || !source.includes("import ComponentCreator from '@docusaurus/ComponentCreator'")) {
    throw new DocusaurusChangedError('routes.js no longer exports an array of ComponentCreator routes')
  }
  const body = source.slice(start).replace('export default', 'return')
  const run = new Function('ComponentCreator', body) as (
    create: (path: string, hash?: string) => string,
  ) => RawRoute[]
  const routes = run((path, hash) => (hash === undefined ? path : `${path}-${hash}`))
  return routes.filter(({ path }) => path !== '*').map(toRoute)
}

type RawRoute = { path: string; component: string; routes?: RawRoute[] } & { [key: string]: Json }

function toRoute({ path, component, routes, ...attributes }: RawRoute): GeneratedRoute {
  return { path, key: component, routes: (routes ?? []).map(toRoute), attributes }
}

const REGISTRY_LINE =
  /^\s*("[^"]+"): \[\(\) => import\(\/\* webpackChunkName: "[^"]+" \*\/ ("(?:[^"\\]|\\.)*")\)/

/** One line per module: chunk name, then the request inside `import()`. */
export function readRegistry(source: string): Map<string, string> {
  const registry = new Map<string, string>()
  for (const line of source.split('\n')) {
    if (!line.includes('import(')) continue
    const match = REGISTRY_LINE.exec(line)
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new DocusaurusChangedError(`registry.js has a line of a new shape: ${line.slice(0, 120)}`)
    }
    registry.set(JSON.parse(match[1]), JSON.parse(match[2]))
  }
  return registry
}

function toRequests(tree: RequestTree, registry: ReadonlyMap<string, string>): RequestTree {
  if (Array.isArray(tree)) return tree.map((child) => toRequests(child, registry))
  if (typeof tree === 'object') {
    return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, toRequests(child, registry)]))
  }
  const request = registry.get(tree)
  if (request === undefined) throw new DocusaurusChangedError(`registry.js does not name chunk ${tree}`)
  return request
}
