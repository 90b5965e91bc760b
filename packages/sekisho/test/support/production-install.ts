import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeProductionTree } from '../../pack/production-tree.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/**
 * Installs like `npm run production` in a folder, from the packages here in place of the registry's, without its own Node.
 * @returns the installation's `sekisho.mjs`
 */
export async function installForProduction(folder: string): Promise<string> {
  const { foreign, links } = await writeProductionTree(folder)
  for (const [path, target] of links) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(relative(dirname(path), target), join(folder, path))
  }
  for (const path of foreign.filter((name) => !/^node_modules\/node-/.test(name))) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true })
  }
  await writeLoginPage(join(folder, 'packages', 'login', 'dist'))
  return join(folder, 'packages', 'sekisho', 'bin', 'sekisho.mjs')
}

/** Stands for the built login page, which a unit test does not build. */
async function writeLoginPage(dist: string): Promise<void> {
  const script = 'assets/login-1a2b3c4d.js'
  const icon = 'assets/mark-1a2b3c4d.svg'
  await rm(dist, { recursive: true, force: true })
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, script), 'document.title="Login with Google"')
  await writeFile(join(dist, icon), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const files = [
    { path: script, type: 'text/javascript; charset=utf-8' },
    { path: icon, type: 'image/svg+xml' },
  ]
  await writeFile(
    join(dist, 'login.json'),
    JSON.stringify({ script, flows: {}, styles: [], icon, shell: '<h1>Sekisho</h1>', files }),
  )
}
