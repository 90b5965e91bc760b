import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url))
const ROOMS = globSync('*/src', { cwd: PACKAGES }).map(posix.dirname).sort()

it.each(ROOMS)('nothing in %s imports itself over others, types included', (room) => {
  const files = filesOf(room)
  expect({ files: circlesOf(files), folders: circlesOf(foldersOf(files)) }).toEqual({
    files: [],
    folders: [],
  })
})

it('finds a circle, and the two in it', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b', 'd'])],
    ['d', new Set<string>()],
  ])
  expect(circlesOf(graph)).toEqual([['b', 'c']])
})

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Imports among files of a package, by paths below `src`; without tests and their shared code. */
function filesOf(room: string): Graph {
  const src = `${PACKAGES}${room}/src`
  const paths = new Set(
    globSync('**/*.{ts,tsx}', { cwd: src }).filter((path) => !/\.test\.tsx?$|(?:^|\/)testing\//.test(path)),
  )
  const importsOf = (path: string) => {
    const text = readFileSync(`${src}/${path}`, 'utf8')
    const found = text.matchAll(/(?:^|\s)(?:from|import|import\()\s*'(\.[^']+)'/g)
    const targets = [...found].map(([, target = '']) => posix.join(posix.dirname(path), target))
    return new Set(targets.filter((target) => paths.has(target)))
  }
  return new Map([...paths].map((path) => [path, importsOf(path)]))
}

/** The same of folders. What stands in `src` itself is no folder: it holds a room's first files and its last. */
function foldersOf(files: Graph): Graph {
  const folderOf = (path: string) => (path.includes('/') ? posix.dirname(path) : path)
  const folders = new Map<string, Set<string>>()
  for (const [path, targets] of files) {
    const from = folderOf(path)
    const known = folders.get(from) ?? new Set()
    for (const target of targets) if (folderOf(target) !== from) known.add(folderOf(target))
    folders.set(from, known)
  }
  return folders
}

/** Everything from which a way leads back to itself, in groups that reach each other. */
function circlesOf(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((name) => [name, reachedFrom(name, graph)]))
  const reach = (from: string, to: string) => reached.get(from)?.has(to) === true
  const left = new Set([...graph.keys()].filter((name) => reach(name, name)).sort())
  const circles: string[][] = []
  for (const name of left) {
    const circle = [...left].filter((other) => reach(name, other) && reach(other, name))
    for (const other of circle) left.delete(other)
    circles.push(circle)
  }
  return circles
}

function reachedFrom(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return reached
}
