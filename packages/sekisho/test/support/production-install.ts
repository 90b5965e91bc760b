import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const COMMAND = 'packages/sekisho'

interface Locked {
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
}
type Lock = Readonly<Record<string, Locked>>

/**
 * Makes, in an empty folder, what `npm ci --omit=dev --workspace sekisho` makes of the lockfile: our packages
 * and what they declare to need while running, and nothing that only development brings along.
 * @returns the installation's `sekisho.mjs`
 */
export async function installForProduction(folder: string): Promise<string> {
  const lock = (JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Lock })
    .packages
  for (const path of findNeeded(lock, COMMAND)) {
    const { link, resolved = '' } = lock[path] ?? {}
    await mkdir(dirname(join(folder, path)), { recursive: true })
    if (link === true) await symlink(relative(dirname(path), resolved), join(folder, path))
    else
      await cp(join(ROOT, path), join(folder, path), {
        recursive: true,
        filter: (file) => isInstalled(file, path),
      })
  }
  await writeLoginPage(join(folder, 'packages', 'login', 'dist'))
  return join(folder, COMMAND, 'bin', 'sekisho.mjs')
}

/** The lockfile's paths of a package and of everything it needs, each name looked up from the inside out as Node does. */
function findNeeded(lock: Lock, start: string): ReadonlySet<string> {
  const needed = new Set<string>()
  const add = (path: string): void => {
    if (needed.has(path)) return
    needed.add(path)
    const { link, resolved, dependencies = {} } = lock[path] ?? {}
    if (link === true && resolved !== undefined) add(resolved)
    for (const name of Object.keys(dependencies)) add(findPackage(lock, path, name))
  }
  add(start)
  return needed
}

function findPackage(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (path in lock) return path
    if (folder === '.') throw new Error(`${name}, which ${from} needs, is not in the lockfile`)
  }
}

/** Packages are copied one by one, and tests stay at home. */
function isInstalled(file: string, path: string): boolean {
  const inside = relative(join(ROOT, path), file).replaceAll('\\', '/')
  return (
    !/^(?:node_modules|dist|test)(?:\/|$)|\.test\.tsx?$/.test(inside) || /(?:^|\/)node_modules\//.test(path)
  )
}

/** Stands for the built login page, which a unit test does not build. */
async function writeLoginPage(dist: string): Promise<void> {
  const script = 'assets/login-1a2b3c4d.js'
  const icon = 'assets/mark-1a2b3c4d.svg'
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, script), 'document.title="Login with Google"')
  await writeFile(join(dist, icon), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const files = [
    { path: script, type: 'text/javascript; charset=utf-8' },
    { path: icon, type: 'image/svg+xml' },
  ]
  await writeFile(join(dist, 'login.json'), JSON.stringify({ script, styles: [], icon, files }))
}
