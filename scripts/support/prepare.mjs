import { fileURLToPath } from 'node:url'
import { findPinnedNode } from '../../packages/sekisho/bin/pinned-node.mjs'
import { fail, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Prepares every command: the locked packages and the pinned Node.
 * @returns {Promise<string>} the path of the pinned Node
 */
export async function prepare() {
  await ensureInstalled({ folder: ROOT, title: say('install') })
  const node = findPinnedNode()
  if (node === null) fail(say('noPinnedNode', `${process.platform}-${process.arch}`))
  return node
}
