import { components, contexts } from '@generated/sekisho-flat/shared'
import type { ModuleTree } from '../wire.ts'

type Namespace = { [name: string]: unknown }

const files = new Map<string, string>()
const fileOfKnown = __webpack_require__.u
__webpack_require__.u = (chunk) => files.get(String(chunk)) ?? fileOfKnown(chunk)

/** Tells the runtime where page chunks are: it was built without their names. */
export function nameFiles(own: { [chunk: string]: string }): void {
  for (const [chunk, file] of Object.entries(own)) files.set(chunk, file)
}

/** Loads every module of a tree and answers the tree with the modules in their places. */
export async function loadTree(tree: ModuleTree): Promise<unknown> {
  if (typeof tree === 'string') return loadModule(tree)
  if (Array.isArray(tree)) return Promise.all(tree.map(loadTree))
  const entries = Object.entries(tree).map(async ([key, child]) => [key, await loadTree(child)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function loadModule(name: string): Promise<unknown> {
  const context = contexts[name.slice(1)]
  if (name.startsWith('~') && context !== undefined) return context
  if (name.startsWith('~')) return unwrap((await components[name.slice(1)]?.()) ?? {}, name)
  const [module = '', chunks = ''] = name.split(':')
  const missing = chunks.split(',').filter((chunk) => chunk !== '')
  await Promise.all(missing.map((chunk) => __webpack_require__.e(chunk)))
  return unwrap(__webpack_require__(module), name)
}

/** A component carries its module's other exports as properties; JSON is its own default (as ComponentCreator does it). */
function unwrap(namespace: Namespace, name: string): unknown {
  const isModule =
    namespace.__esModule === true || Object.prototype.toString.call(namespace) === '[object Module]'
  const value = isModule ? namespace.default : namespace
  if (value === undefined) throw new Error(`Module ${name} has no default export, so nothing can be rendered`)
  if (isModule && ((typeof value === 'object' && value !== null) || typeof value === 'function')) {
    for (const [key, other] of Object.entries(namespace)) {
      if (key !== 'default') Object.assign(value, { [key]: other })
    }
  }
  return value
}
