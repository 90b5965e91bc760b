import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from '../bundle.ts'

/** Hashes by which a page is known to be rendered from the same code as in the build before. */
export interface ServerCode {
  /** Hash of the code that every page runs and of its environment; null when it reads unpredictable input. */
  shared: string | null
  /** Of the code that is a page's own, by address; null as above. */
  pages: { [path: string]: string | null }
}

/** A page and the modules it is made of, as the bundle's placements name them. */
interface PageModules {
  path: string
  requests: readonly string[]
}

/** Inputs that code can read from its process. */
export interface Environment {
  env: { [name: string]: string | undefined }
  /** Versions, time zone and the day: a page that shows the date is rendered again tomorrow. */
  words: readonly string[]
}

/** Name of the chunk that lists every page: what the entry can load through it is not what every page runs. */
export const LIST_CHUNK = 'light-pages-modules'

/** Hashes the server bundle so that a page's hashes change with whatever its rendering runs, and with nothing else. */
export function hashServerCode(
  { chunks, placements, outDir }: Bundle,
  pages: readonly PageModules[],
  { env, words }: Environment,
): ServerCode {
  const hashes = new Map<string, string | null>()
  const hashChunk = (id: string): string | null => {
    const file = chunks.get(id)?.file
    // A chunk that was not written is empty: the code that every page shares has its modules already.
    const found =
      hashes.get(id) ?? hashSource(file === undefined ? '' : readFileSync(join(outDir, file), 'utf8'), env)
    hashes.set(id, found)
    return found
  }
  const list = chunks.get(LIST_CHUNK)?.id
  /** With all that the chunks can load. */
  const hashReachable = (ids: readonly string[]): string | null => {
    const reached = new Set(ids)
    for (const id of reached)
      for (const child of chunks.get(id)?.children ?? []) if (child !== list) reached.add(child)
    const all = [...reached].map(hashChunk)
    return all.includes(null) ? null : hash('sha256', all.sort().join())
  }
  const entry = hashReachable([chunks.get('main')?.id ?? ''])
  return {
    shared: entry === null ? null : hash('sha256', [entry, ...words].join('\n')),
    pages: Object.fromEntries(
      pages.map(({ path, requests }) => [
        path,
        hashReachable(requests.flatMap((request) => placements.get(request)?.chunks ?? [])),
      ]),
    ),
  }
}

/** Reads those inputs of this process. */
export function readEnvironment(): Environment {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
  return { env: process.env, words: [process.version, timeZone, locale, new Date().toDateString()] }
}

/** Node's modules that compute and hold nothing of the world outside; any other may answer differently every time. */
const PURE = new Set(
  'assert async_hooks buffer crypto events path punycode querystring stream stream/consumers string_decoder url util zlib'.split(
    ' ',
  ),
)

function hashSource(source: string, env: Environment['env']): string | null {
  for (const [, name = ''] of source.matchAll(/\brequire\("(?:node:)?([\w/.-]+)"\)/g)) {
    if (!name.startsWith('.') && !PURE.has(name)) return null
  }
  const read = new Set([...source.matchAll(/\bprocess\.env\b(?:\.(\w+))?/g)].map(([, name = '']) => name))
  const names = read.has('') ? Object.keys(env) : [...read]
  const values = names.sort().map((name) => `${name}=${env[name] ?? ''}`)
  return hash('sha256', [source, ...values].join('\n'))
}
