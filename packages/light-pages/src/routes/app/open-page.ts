import { layouts } from '@generated/light-pages/layouts'
import Layout from '@theme/Layout'
import type { ModuleSlots, ModuleTree, PageRecord } from '../model.ts'

/** Modules of a route, ready to be rendered. */
export type LoadedModules = { [slot: string]: unknown }

type ModuleNamespace = { [name: string]: unknown }

/** A page whose code is here. `record` is null where nothing is known about it. */
export interface OpenPage {
  record: PageRecord | null
  modules: LoadedModules
  /** Modules of the layouts around it, by their index. */
  layouts: { [index: number]: LoadedModules }
}

/**
 * Fallback without even a page for missing ones: the layout of every page. Imported here, it belongs to the main script and to no other.
 */
export const EMPTY: OpenPage = { record: null, modules: { __comp: Layout }, layouts: {} }

/** Start data of a document. */
export interface PageStart {
  /** The {@link import('../model.ts').FirstPage} as JSON in which no tag can begin. */
  text: string
  /** Scripts to ask for at once. */
  scripts: readonly string[]
}

/** Loads every module of a route into its place. */
export async function loadModules<Leaf extends string | (() => Promise<ModuleNamespace>)>(
  slots: ModuleSlots<Leaf>,
  load: (leaf: Leaf) => Promise<ModuleNamespace>,
): Promise<LoadedModules> {
  const loadTree = async (tree: ModuleTree<Leaf>): Promise<unknown> => {
    if (Array.isArray(tree)) return Promise.all(tree.map(loadTree))
    return typeof tree === 'object' ? loadModules(tree, load) : unwrapModule(await load(tree))
  }
  const entries = Object.entries(slots).map(async ([slot, tree]) => [slot, await loadTree(tree)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Loads the layouts around a page. */
export async function loadLayouts(indices: readonly number[]): Promise<{ [index: number]: LoadedModules }> {
  const loaded = indices.map(async (index) => {
    const { modules = {} } = layouts[index] ?? {}
    return [index, await loadModules(modules, (load) => load())] as const
  })
  return Object.fromEntries(await Promise.all(loaded))
}

/** A component carries its module's other exports as properties; JSON is its own default (as ComponentCreator does it). */
function unwrapModule(namespace: ModuleNamespace): unknown {
  const isModule =
    namespace.__esModule === true || Object.prototype.toString.call(namespace) === '[object Module]'
  if (!isModule) return namespace
  const { default: value, ...others } = namespace
  if (value === undefined) throw new Error('A module of this page has no default export')
  if ((typeof value === 'object' && value !== null) || typeof value === 'function')
    Object.assign(value, others)
  return value
}
