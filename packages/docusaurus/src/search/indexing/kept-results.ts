import { hash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Results of a pure function, kept from one build to the next by a hash of what they were made from. */
export interface KeptResults<T> {
  /** Keys of the results that the build before left. */
  keys(): string[]
  /** A result of the build before, which is kept for the next one; undefined when there is none that can be read. */
  take(key: string): { value: T } | undefined
  /** Keeps a result that was made now. */
  put(key: string, value: T): void
  /** Ends the list: what was neither taken nor put is forgotten. */
  save(): void
}

/** The key of an input. */
export function keyOfInput(input: string): string {
  return hash('sha256', input)
}

/**
 * Opens the results in a file. `maker` stands for the code that makes them: with another one, nothing is known. Without
 * a file nothing is kept. The results are JSON; they are written as they come, since together they are as large as the site.
 */
export function openKeptResults<T>(file: string | null, maker: string): KeptResults<T> {
  const known = file === null ? new Map<string, string>() : readLines(file, maker)
  const list = file === null ? null : startList(`${file}.new`, maker)
  return {
    keys: () => [...known.keys()],
    take(key) {
      const text = known.get(key)
      const kept = text === undefined ? undefined : parse<T>(text)
      if (text !== undefined && kept !== undefined) list?.add(key, text)
      return kept
    },
    put: (key, value) => list?.add(key, JSON.stringify({ value })),
    save() {
      list?.end()
      // A build that is killed leaves a temporary file, never half a list.
      if (file !== null) renameSync(`${file}.new`, file)
    },
  }
}

function startList(file: string, maker: string) {
  mkdirSync(path.dirname(file), { recursive: true })
  const descriptor = openSync(file, 'w')
  writeSync(descriptor, `${maker}\n`)
  const written = new Set<string>()
  return {
    add(key: string, text: string): void {
      if (!written.has(key)) writeSync(descriptor, `${key} ${text}\n`)
      written.add(key)
    },
    end: () => closeSync(descriptor),
  }
}

/** Where a site keeps results, beside the bundler's cache; null when it is built without one. */
export function keptResultsFile(siteDir: string, name: string): string | null {
  if (process.env.DOCUSAURUS_NO_PERSISTENT_CACHE) return null
  return path.join(siteDir, 'node_modules/.cache/sekisho-results', name)
}

/** Stands for the code in some folders, the packages it calls, and Node. */
export function describeMaker(folders: readonly string[], packages: readonly string[]): string {
  const versions = packages.map(readVersion)
  const sources = folders.flatMap((folder) => {
    const files = readdirSync(folder).filter((file) => /(?<!\.test|\.d)\.[jt]s$/.test(file))
    return files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8'))
  })
  return hash('sha256', [process.version, ...versions, ...sources].join('\n'))
}

/** Read from beside the package's own file, since many packages do not export their `package.json`. */
function readVersion(name: string): string {
  const file = createRequire(import.meta.url).resolve(name)
  const end = file.lastIndexOf(path.join('node_modules', name)) + path.join('node_modules', name).length
  const { version } = JSON.parse(readFileSync(path.join(file.slice(0, end), 'package.json'), 'utf8'))
  return `${name}@${version}`
}

function readLines(file: string, maker: string): Map<string, string> {
  const lines = readText(file).split('\n')
  if (lines[0] !== maker) return new Map()
  const results = lines.slice(1).filter((line) => line !== '')
  return new Map(results.map((line) => [line.slice(0, 64), line.slice(65)]))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Undefined for a damaged line, which is made anew. */
function parse<T>(text: string): { value: T } | undefined {
  try {
    return JSON.parse(text) as { value: T }
  } catch {
    return undefined
  }
}
