import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PAGES_CHUNK } from './client-graph.ts'
import { type CodeChunk, type CodeGraph, hashServerCode, type ServerCode } from './hash-code.ts'

/** The part of Rspack's (and webpack's) compiler that is relied upon. */
interface Compiler {
  hooks: {
    afterEmit: { tapPromise(name: string, run: (compilation: Compilation) => Promise<void>): void }
  }
  outputPath: string
}

interface Chunk {
  id: string | number | null
  name?: string | undefined
  files: Iterable<string>
  groupsIterable: Iterable<{ childrenIterable: Iterable<{ chunks: Iterable<Chunk> }> }>
  hasRuntime(): boolean
}

interface Compilation {
  chunks: Iterable<Chunk>
}

/** Tells what the server bundle consists of, once it has been written and before any page is rendered. */
export class ServerCodePlugin {
  readonly #onBuilt: (code: ServerCode) => void

  constructor(onBuilt: (code: ServerCode) => void) {
    this.#onBuilt = onBuilt
  }

  apply(compiler: Compiler): void {
    compiler.hooks.afterEmit.tapPromise('sekisho-server-code', async ({ chunks }) => {
      const graph = await readGraph([...chunks], compiler.outputPath)
      this.#onBuilt(graph === null ? { shared: null, chunks: {} } : hashServerCode(graph, readSurroundings()))
    })
  }
}

/** Null for a bundle of another shape than one entry and the chunks it loads: then every page is rendered. */
async function readGraph(chunks: readonly Chunk[], dir: string): Promise<CodeGraph | null> {
  const entries = chunks.filter((chunk) => chunk.hasRuntime())
  const pages = chunks.find(({ name }) => name === PAGES_CHUNK)
  const [entry] = entries
  if (entry === undefined || entries.length > 1 || pages === undefined) return null
  const read = new Map<string, CodeChunk>()
  for (const chunk of chunks) {
    const [file, ...others] = [...chunk.files].filter((name) => name.endsWith('.js'))
    if (file === undefined || others.length > 0) return null
    const source = await readFile(join(dir, file), 'utf8')
    read.set(String(chunk.id), { name: chunk.name, source, children: listChildren(chunk) })
  }
  return { chunks: read, entry: String(entry.id), pages: String(pages.id) }
}

function listChildren({ groupsIterable }: Chunk): string[] {
  const children = [...groupsIterable].flatMap(({ childrenIterable }) => [...childrenIterable])
  return children.flatMap((group) => [...group.chunks].map(({ id }) => String(id)))
}

function readSurroundings() {
  const now = new Date()
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
  return { env: process.env, words: [process.version, timeZone, locale, now.toDateString()] }
}
