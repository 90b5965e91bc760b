import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, type Property, parse, type SpreadElement } from 'acorn'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import type { Json, ModuleSlots, ModuleTree } from './model.ts'

/** A route of Docusaurus' generated table. */
export interface GeneratedRoute {
  path: string
  /** Leaves are module requests. */
  modules: ModuleSlots
  routes: GeneratedRoute[]
  attributes: { [key: string]: Json }
}

/** The files Docusaurus generates before bundling, read instead of bundled. */
export interface Generated {
  routes: GeneratedRoute[]
  globalData: { [plugin: string]: Json }
}

/** Reads `routes.js`, `registry.js`, `routesChunkNames.json` and `globalData.json`. */
export function readGenerated(generatedDir: string): Generated {
  const read = (name: string) => readFileSync(join(generatedDir, name), 'utf8')
  return {
    routes: readRoutes(read('routes.js'), JSON.parse(read('routesChunkNames.json')), read('registry.js')),
    globalData: JSON.parse(read('globalData.json')),
  }
}

/** Joins a route table with its modules: a route names its entry in the chunk names, which name entries of the registry. */
export function readRoutes(
  routes: string,
  chunkNames: { [route: string]: ModuleSlots },
  registry: string,
): GeneratedRoute[] {
  // An entry is `[() => import("request"), "request", …]`.
  const requests = readDefaultExport(registry) as { [chunkName: string]: [null, string] }
  const toRequest = (name: string): string => {
    const request = requests[name]?.[1]
    if (typeof request !== 'string')
      throw new DocusaurusChangedError(`registry.js does not name the chunk ${name}`)
    return request
  }
  const toRoute = ({ path, component, routes: inside = [], ...attributes }: RawRoute): GeneratedRoute => {
    const slots = chunkNames[component.join('-')]
    if (slots === undefined)
      throw new DocusaurusChangedError(`routesChunkNames.json does not name the route ${component.join('-')}`)
    return { path, modules: mapSlots(slots, toRequest), routes: inside.map(toRoute), attributes }
  }
  const table = readDefaultExport(routes)
  if (!Array.isArray(table)) throw new DocusaurusChangedError('routes.js does not export an array')
  return (table as unknown as RawRoute[]).filter(({ path }) => path !== '*').map(toRoute)
}

/** Replaces each leaf of a route's modules. */
export function mapSlots<From, To>(slots: ModuleSlots<From>, toLeaf: (leaf: From) => To): ModuleSlots<To> {
  return Object.fromEntries(Object.entries(slots).map(([slot, tree]) => [slot, mapTree(tree, toLeaf)]))
}

function mapTree<From, To>(tree: ModuleTree<From>, toLeaf: (leaf: From) => To): ModuleTree<To> {
  if (Array.isArray(tree)) return tree.map((child) => mapTree(child, toLeaf))
  return typeof tree === 'object' && tree !== null
    ? mapSlots(tree as ModuleSlots<From>, toLeaf)
    : toLeaf(tree as From)
}

/** A route as the table has it: `component` is a call of `ComponentCreator` with an address and a hash. */
type RawRoute = { path: string; component: string[]; routes?: RawRoute[] } & { [key: string]: Json }

/** The data in a generated module. Calls are their arguments; functions are null. */
function readDefaultExport(source: string): Json {
  const { body } = parse(source, { ecmaVersion: 'latest', sourceType: 'module' })
  const exported = body.find((node) => node.type === 'ExportDefaultDeclaration')?.declaration
  if (exported?.type !== 'ArrayExpression' && exported?.type !== 'ObjectExpression')
    throw new DocusaurusChangedError('a generated file does not export an array or an object')
  return readValue(exported)
}

function readValue(node: Expression | SpreadElement | null): Json {
  switch (node?.type) {
    case 'ArrowFunctionExpression':
      return null
    case 'Literal':
      return node.value as Json
    case 'UnaryExpression':
      return -Number(readValue(node.argument))
    case 'ArrayExpression':
      return node.elements.map(readValue)
    case 'CallExpression':
      return node.arguments.map(readValue)
    case 'ObjectExpression':
      return Object.fromEntries(node.properties.map((property) => readProperty(property)))
    default:
      throw new DocusaurusChangedError(`a generated file has a ${node?.type}`)
  }
}

function readProperty(property: Property | SpreadElement): [key: string, value: Json] {
  if (property.type === 'SpreadElement') throw new DocusaurusChangedError('a generated file has a spread')
  const { key, value } = property
  return [key.type === 'Identifier' ? key.name : String(readValue(key as Expression)), readValue(value)]
}
