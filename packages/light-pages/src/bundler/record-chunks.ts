import { runInNewContext } from 'node:vm'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'

/** Where the bundler put a module: its id, and the chunks that must be there before it can be asked for. */
export interface Placement {
  module: string
  chunks: string[]
}

type Factory = (module: { exports: unknown }, exports: object, require: object) => void

/**
 * Reads the bundled pages chunk by running it with a `__webpack_require__` that only takes notes, so that it
 * matters neither how the bundler names its ids nor how the minimiser writes `import()`.
 */
export async function recordChunks(source: string): Promise<Map<string, Placement>> {
  const factory = readFactory(source)
  let seen: string[] = []
  const notes = Object.assign((id: unknown) => String(id), {
    e: (chunk: unknown) => {
      seen.push(String(chunk))
      return Promise.resolve()
    },
    t: (id: unknown) => String(id),
    r: () => {},
    d: (exports: object, ...definitions: unknown[]) => define(exports, definitions),
    n: (value: unknown) => () => value,
  })
  const module = { exports: {} as { default?: { [request: string]: () => Promise<unknown> } } }
  factory(module, module.exports, notes)
  const placements = new Map<string, Placement>()
  for (const [request, load] of Object.entries(module.exports.default ?? {})) {
    seen = []
    const loading = load()
    const chunks = [...seen]
    placements.set(request, { module: String(await loading), chunks })
  }
  if (placements.size === 0) throw new DocusaurusChangedError('the bundled pages chunk exports no modules')
  return placements
}

function readFactory(source: string): Factory {
  const pushed: [unknown, Record<string, Factory>][] = []
  const global = new Proxy({}, { get: () => pushed })
  runInNewContext(source, { self: global, globalThis: global, window: global })
  const factory = Object.values(pushed[0]?.[1] ?? {})[0]
  if (factory === undefined)
    throw new DocusaurusChangedError('a bundled chunk no longer is a push of [ids, modules]')
  return factory
}

/** `__webpack_require__.d(exports, { name: getter })`. */
function define(exports: object, [getters]: unknown[]): void {
  for (const [name, get] of Object.entries(getters as { [name: string]: () => unknown })) {
    Object.defineProperty(exports, name, { enumerable: true, get })
  }
}
