import { fileURLToPath } from 'node:url'
import { findPinnedNode } from '../packages/sekisho/bin/pinned-node.mjs'
import { fail, step } from './console.mjs'
import { ensureInstalled } from './install.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * What every command needs first: the locked packages and the pinned Node.
 * @returns {Promise<string>} the path of the pinned Node
 */
export async function prepare() {
  await ensureInstalled({
    folder: ROOT,
    title: 'Installing the locked packages (once per lockfile; a few minutes on a slow line)',
    step,
    fail,
  })
  const node = findPinnedNode()
  if (node === null)
    fail(
      `There is no pinned Node for ${process.platform}-${process.arch}: use Linux, macOS or Windows on x64 or arm64.`,
    )
  return node
}
