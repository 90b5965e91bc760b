import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

/** The folder of all rooms. */
export const PACKAGES_DIR = fileURLToPath(new URL('../..', import.meta.url))

/** The rooms that users install, each a folder of the same name in `dist`. */
export const ROOMS = [
  'contract',
  'docusaurus',
  'light-pages',
  'login',
  'release',
  'search',
  'sekisho',
  'server',
  'verify',
  'wire',
] as const

/** Fields read from a package's package.json. */
interface RoomPackage {
  readonly version: string
  readonly license: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Reads the package.json of one of ours. */
export function readRoomPackage(room: string): RoomPackage {
  return JSON.parse(readFileSync(join(PACKAGES_DIR, room, 'package.json'), 'utf8'))
}

/** An import of another room, or a file named relative to the module that names it. */
const ROOM_IMPORT = /(['"])@sekisho\/([\w-]+)((?:\/[\w.-]+)*)\1/g
const OWN_FILE = /(['"`])(\.{1,2}\/[^'"`\n]*)\.tsx?\1/g

/**
 * Rewrites what a compiled module says of its neighbours: rooms become folders beside its own, and TypeScript files what
 * they were compiled to.
 * @param file the module's path below `dist`
 */
export function rewriteModule(text: string, file: string): string {
  return text
    .replace(ROOM_IMPORT, (whole, quote: string, room: string, subpath: string) => {
      const target = resolveExport(room, `.${subpath}`)
      if (target === null) throw new Error(`${file} imports ${whole}, which that room does not export`)
      return `${quote}${relative(dirname(file), join(room, target)).replace(/^(?!\.)/, './')}${quote}`
    })
    .replace(OWN_FILE, '$1$2.js$1')
}

const exportsOf = new Map(ROOMS.map((room) => [room as string, readRoomPackage(room).exports ?? {}]))

/** The file behind an export, of which a `*` stands for one part, as it is in `dist`. */
function resolveExport(room: string, subpath: string): string | null {
  for (const [name, file] of Object.entries(exportsOf.get(room) ?? {})) {
    const [before = '', after] = name.split('*')
    const isMatch =
      after === undefined ? subpath === name : subpath.startsWith(before) && subpath.endsWith(after)
    if (!isMatch) continue
    const star = after === undefined ? '' : subpath.slice(before.length, subpath.length - after.length)
    return file.replace('*', star).replace(/\.tsx?$/, '.js')
  }
  return null
}
