import { createHash } from 'node:crypto'

/** Hashes by which a page of the server bundle is known to be the one of the build before. */
export interface ServerCode {
  /** Of the code every page runs, and of the surroundings it runs in; null when it reads what nobody can foresee. */
  shared: string | null
  /** Of the code in and behind each named chunk; null as above. */
  chunks: { [name: string]: string | null }
}

/** A chunk of the server bundle. */
export interface CodeChunk {
  name?: string | undefined
  source: string
  /** Ids of the chunks that its code can load. */
  children: readonly string[]
}

export interface CodeGraph {
  chunks: ReadonlyMap<string, CodeChunk>
  entry: string
  /** The chunk that names every page: what the entry can load through it is not what every page runs. */
  pages: string
}

/** What code can read of the process it runs in. */
export interface Surroundings {
  env: { [name: string]: string | undefined }
  /** Versions, time zone and the day: a page that shows the date is rendered again tomorrow. */
  words: readonly string[]
}

/** Hashes the server bundle so that a page's hashes change with whatever its rendering runs, and with nothing else. */
export function hashServerCode({ chunks, entry, pages }: CodeGraph, surroundings: Surroundings): ServerCode {
  const own = new Map<string, string | null>()
  for (const [id, { source }] of chunks) {
    own.set(id, hashSource(id === entry ? withoutFileNames(source) : source, surroundings.env))
  }
  const hashClosure = (start: string): string | null => {
    const hashes = [...listReachable(chunks, start, pages)].map((id) => own.get(id) ?? null)
    return hashes.includes(null) ? null : digest(hashes.sort().join())
  }
  const shared = hashClosure(entry)
  const named: ServerCode['chunks'] = {}
  for (const [id, { name }] of chunks) {
    if (name !== undefined && id !== entry && id !== pages) named[name] = hashClosure(id)
  }
  return {
    shared: shared === null ? null : digest([shared, ...surroundings.words].join('\n')),
    chunks: named,
  }
}

/** Node's modules that compute and hold nothing of the world outside; any other may answer differently every time. */
const PURE = new Set(
  'assert async_hooks buffer crypto events path punycode querystring stream stream/consumers string_decoder url util zlib'.split(
    ' ',
  ),
)

function hashSource(source: string, env: Surroundings['env']): string | null {
  for (const [, name = ''] of source.matchAll(/\brequire\("(?:node:)?([\w/.-]+)"\)/g)) {
    if (!PURE.has(name)) return null
  }
  const read = new Set([...source.matchAll(/\bprocess\.env\b(?:\.(\w+))?/g)].map(([, name = '']) => name))
  const names = read.has('') ? Object.keys(env) : [...read]
  const values = names.sort().map((name) => `${name}=${env[name] ?? ''}`)
  return digest([source, ...values].join('\n'))
}

/** The runtime's map from chunk to file changes with every page, and says nothing that the chunks themselves do not. */
function withoutFileNames(source: string): string {
  const start = source.indexOf('__webpack_require__.u = ')
  const end = source.indexOf('\n})();', start)
  return start < 0 || end < 0 ? source : source.slice(0, start) + source.slice(end)
}

function listReachable(chunks: CodeGraph['chunks'], start: string, pages: string): Set<string> {
  const reached = new Set([start])
  for (const id of reached) {
    for (const child of chunks.get(id)?.children ?? []) if (child !== pages) reached.add(child)
  }
  return reached
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
