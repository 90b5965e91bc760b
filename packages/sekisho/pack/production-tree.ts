import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const COMMAND = 'packages/sekisho'

interface RootPackage {
  readonly version: string
  readonly license: string
  readonly optionalDependencies: Readonly<Record<string, string>>
}

export interface Locked {
  readonly version?: string
  readonly optional?: boolean | undefined
  readonly dev?: boolean | undefined
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Lock = Readonly<Record<string, Locked>>

/** Packages of the lockfile that a server needs, by the lockfile's paths. */
interface ProductionTree {
  /** Packages of others, to be installed. */
  readonly foreign: readonly string[]
  /** `node_modules/NAME` of our packages, each with the folder it is a link to. */
  readonly links: ReadonlyMap<string, string>
}

/**
 * Writes, into an empty folder, our packages that a server runs, with a `package.json` and `package-lock.json` for `npm ci` at the locked
 * versions. npm's own `--omit=dev --workspace` would install a site's compilers too (decisions/090).
 */
export async function writeProductionTree(target: string): Promise<ProductionTree> {
  const { lock, root, paths } = await readServed()
  const workspaces = [...paths].filter(isOurs).sort()
  for (const path of workspaces) {
    await cp(join(ROOT, path), join(target, path), {
      recursive: true,
      filter: (file) => isShipped(relative(join(ROOT, path), file).replaceAll('\\', '/')),
    })
    await writeJson(
      join(target, path, 'package.json'),
      withoutDevelopment(await readJson(join(path, 'package.json'))),
    )
  }
  const description = { ...withoutDevelopment(root), workspaces, scripts: undefined }
  const packages = Object.fromEntries(
    [...paths].sort().map((path) => {
      const entry = lock.packages[path] ?? {}
      return [path, isOurs(path) ? withoutDevelopment(entry) : entry]
    }),
  )
  await writeJson(join(target, 'package.json'), description)
  await writeJson(join(target, 'package-lock.json'), { ...lock, packages: { '': description, ...packages } })
  const links = [...paths].flatMap((path): (readonly [string, string])[] => {
    const { link, resolved } = lock.packages[path] ?? {}
    return link === true && resolved !== undefined ? [[path, resolved]] : []
  })
  const foreign = [...paths].filter((path) => !isOurs(path) && lock.packages[path]?.link !== true)
  return { foreign, links: new Map(links) }
}

/** The lockfile, and which of its paths a server needs: our packages, those of others, and Node for each system. */
export async function readServed() {
  const lock = await readJson<{ packages: Record<string, Locked> }>('package-lock.json')
  const root = await readJson<RootPackage>('package.json')
  const paths = findNeeded(lock.packages, COMMAND)
  for (const name of Object.keys(root.optionalDependencies)) paths.add(`node_modules/${name}`)
  return { lock, root, paths }
}

export const isOurs = (path: string) => path.startsWith('packages/') && !path.includes('/node_modules/')

/** The lockfile's paths of a package and of everything it needs, each name looked up from the inside out as Node does. */
function findNeeded(lock: Lock, start: string): Set<string> {
  const needed = new Set<string>()
  const add = (path: string): void => {
    if (needed.has(path)) return
    needed.add(path)
    const { link, resolved, dependencies = {}, optionalDependencies = {} } = lock[path] ?? {}
    if (link === true && resolved !== undefined) add(resolved)
    for (const name of Object.keys(dependencies)) add(findPackage(lock, path, name))
    for (const name of Object.keys(optionalDependencies)) add(findPackage(lock, path, name))
  }
  add(start)
  return needed.add(`node_modules/${start.split('/').at(-1)}`)
}

function findPackage(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (path in lock) return path
    if (folder === '.') throw new Error(`${name}, which ${from} needs, is not in the lockfile`)
  }
}

/** Leaves out development files: tests, measurements, packing; of the login page only the bundle is shipped. */
function isShipped(inside: string): boolean {
  return !/^(?:node_modules|test|eval|pack|build|src\/local-identity|\.[^/]*)(?:\/|$)|^(?!src\/)[^/]*\.config\.ts$|\.test\.tsx?$|(?:^|\/)testing(?:\/|$)/.test(
    inside,
  )
}

function withoutDevelopment(description: object): object {
  return { ...description, devDependencies: undefined, peerDependencies: undefined }
}

async function readJson<T extends object>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'))
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
