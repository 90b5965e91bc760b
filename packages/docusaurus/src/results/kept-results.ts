import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Results of a pure function, kept from one build to the next by a hash of what they were made from. */
export interface KeptResults<T> {
  /** The result for an input, made now or in an earlier build. */
  find(input: string, make: () => T): T
  /** Writes what was asked for in this build; the rest is forgotten. */
  save(): void
}

/**
 * Opens the results in a file. `maker` stands for the code that makes them: with another one, nothing is known. Without
 * a file nothing is kept. The results are JSON.
 */
export function openKeptResults<T>(file: string | null, maker: string): KeptResults<T> {
  const known = file === null ? new Map<string, string>() : readLines(file, maker)
  const used = new Map<string, string>()
  return {
    find(input, make) {
      const key = hash('sha256', input)
      const text = used.get(key) ?? known.get(key)
      const kept = text === undefined ? undefined : parse<T>(text)
      if (text !== undefined && kept !== undefined) {
        used.set(key, text)
        return kept.value
      }
      const value = make()
      used.set(key, JSON.stringify({ value }))
      return value
    },
    save() {
      if (file === null) return
      const lines = [...used].map(([key, text]) => `${key} ${text}`)
      mkdirSync(path.dirname(file), { recursive: true })
      // A build that is killed leaves a temporary file, never half a list.
      writeFileSync(`${file}.new`, [maker, ...lines, ''].join('\n'))
      renameSync(`${file}.new`, file)
    },
  }
}

/** Where a site keeps results, beside the bundler's cache; null when it is built without one. */
export function keptResultsFile(siteDir: string, name: string): string | null {
  if (process.env.DOCUSAURUS_NO_PERSISTENT_CACHE) return null
  return path.join(siteDir, 'node_modules/.cache/sekisho-results', name)
}

/** Stands for the code in a folder, the packages it calls, and Node. */
export function describeMaker(folder: string, packages: readonly string[]): string {
  const versions = packages.map(readVersion)
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const sources = files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8'))
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
  return new Map(lines.slice(1).map((line) => [line.slice(0, 64), line.slice(65)]))
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
