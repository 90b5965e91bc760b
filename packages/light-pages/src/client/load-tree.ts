import type { ModuleTree } from '../wire.ts'

/** Loads every module of a tree and answers the tree with the modules in their places. */
export async function loadTree(
  tree: ModuleTree,
  loadModule: (name: string) => Promise<unknown>,
): Promise<unknown> {
  if (typeof tree === 'string') return loadModule(tree)
  if (Array.isArray(tree)) return Promise.all(tree.map((child) => loadTree(child, loadModule)))
  const entries = Object.entries(tree).map(
    async ([key, child]) => [key, await loadTree(child, loadModule)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}
