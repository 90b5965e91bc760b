import { hash } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Results of a pure function, kept on disk from one build to the next by a hash of what they were made from. */
interface KeptResults<T> {
  /** Keys of the results that the build before left. */
  keys(): string[]
  /** Keeps a result of the build before for the next one. */
  keep(key: string): void
  /** Keeps a result that was made now. */
  put(key: string, value: T): void
  /** A result that was kept; undefined when there is none that can be read. */
  read(key: string): { value: T } | undefined
  /** Ends the list: what was neither kept nor put is forgotten. */
  save(): void
  /** Lets go of the files. What was not saved is not there for the next build. */
  close(): void
}

/** The key of an input. */
export function keyOfInput(input: string): string {
  return hash('sha256', input)
}

/**
 * Opens the results in a file. `maker` stands for the code that makes them: with another one, nothing is known. The results are
 * lines of JSON behind their keys, of which only the places are held: together they are as large as the site.
 */
export function openKeptResults<T>(file: string, maker: string): KeptResults<T> {
  mkdirSync(path.dirname(file), { recursive: true })
  const before = openExisting(file)
  const known = before === null ? new Map<string, Place>() : findLines(before, maker)
  const now = openSync(`${file}.new`, 'w+')
  const kept = new Map<string, Place>()
  let end = writeSync(now, `${maker}\n`)
  const add = (key: string, json: Buffer): void => {
    kept.set(key, { start: end + KEY_BYTES + 1, bytes: json.byteLength })
    end += writeSync(now, Buffer.concat([Buffer.from(`${key} `), json, Buffer.from('\n')]))
  }
  return {
    keys: () => [...known.keys()],
    keep(key) {
      const place = known.get(key)
      if (place !== undefined && before !== null && !kept.has(key)) add(key, readAt(before, place))
    },
    put: (key, value) => add(key, Buffer.from(JSON.stringify({ value }))),
    read(key) {
      const place = kept.get(key)
      return place === undefined ? undefined : parse<T>(readAt(now, place).toString())
    },
    // A build that is killed leaves a temporary file, never half a list.
    save: () => renameSync(`${file}.new`, file),
    close() {
      closeSync(now)
      if (before !== null) closeSync(before)
    },
  }
}

/** Position of a line's JSON, in bytes. */
interface Place {
  readonly start: number
  readonly bytes: number
}

const KEY_BYTES = 64
const CHUNK_BYTES = 1 << 20

function openExisting(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch {
    return null
  }
}

/** The places of all whole lines behind the first, which must be `maker`. */
function findLines(descriptor: number, maker: string): Map<string, Place> {
  const places = new Map<string, Place>()
  const first = readAt(descriptor, { start: 0, bytes: Buffer.byteLength(maker) + 1 })
  if (first.toString() !== `${maker}\n`) return places
  let line = first.byteLength
  for (let start = line; ; start += CHUNK_BYTES) {
    const chunk = readAt(descriptor, { start, bytes: CHUNK_BYTES })
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) {
      const key = readAt(descriptor, { start: line, bytes: KEY_BYTES }).toString()
      places.set(key, { start: line + KEY_BYTES + 1, bytes: start + at - line - KEY_BYTES - 1 })
      line = start + at + 1
    }
    if (chunk.byteLength < CHUNK_BYTES) return places
  }
}

function readAt(descriptor: number, { start, bytes }: Place): Buffer {
  const buffer = Buffer.allocUnsafe(bytes)
  return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, start))
}

/** File of a site's kept results, beside the bundler's cache; null for builds without one. */
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

/** Undefined for a damaged line, which is recomputed. */
function parse<T>(text: string): { value: T } | undefined {
  try {
    return JSON.parse(text) as { value: T }
  } catch {
    return undefined
  }
}
