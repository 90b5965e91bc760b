import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import { PAGE_CHUNK } from '../plan/name-modules.ts'
import { PAGES_CHUNK } from './client-graph.ts'
import { type Placement, recordChunks } from './record-chunks.ts'
import { shrinkRuntime } from './runtime-map.ts'

/** What the bundler is asked about a finished client build. */
export interface ClientBuild {
  outDir: string
  placements: ReadonlyMap<string, Placement>
  /** JavaScript file of each chunk, relative to the public path. */
  files: ReadonlyMap<string, string>
}

const NAME = 'sekisho-flat'

/** The part of Rspack's (and webpack's) compiler that is relied upon. */
interface Compiler {
  hooks: {
    thisCompilation: { tap(name: string, run: (compilation: Compilation) => void): void }
    afterEmit: { tapPromise(name: string, run: (compilation: Compilation) => Promise<void>): void }
  }
  outputPath: string
}

interface Chunk {
  id: string | number | null
  name?: string | undefined
  files: Iterable<string>
  hasRuntime(): boolean
}

interface Compilation {
  chunks: Iterable<Chunk>
  getAsset(file: string): { source: { source(): string | Buffer } } | null | undefined
  deleteAsset(file: string): void
  updateAsset(file: string, source: object): void
  compiler: { webpack: { sources: { RawSource: new (text: string) => object } } }
  hooks: {
    processAssets: {
      tap(options: { name: string; stage: number }, run: () => void): void
      tapPromise(options: { name: string; stage: number }, run: () => Promise<void>): void
    }
  }
}

/** Chunks that only a record or this plugin names. */
const IS_PAGE = new RegExp(`^(?:${PAGE_CHUNK}|${PAGES_CHUNK})$`)

/** Before minimising, when code still has its names; the runtime's own hash is made from the result. */
const STAGE_ADDITIONAL = -2000

/** After every optimisation and hash, when assets are only reported. */
const STAGE_REPORT = 5000

/** Takes the page map out of the runtime, reads where each page's modules went, and drops the pages chunk. */
export class FlatBundlerPlugin {
  readonly #onBuilt: (build: ClientBuild) => void
  #placements: ReadonlyMap<string, Placement> = new Map()

  constructor(onBuilt: (build: ClientBuild) => void) {
    this.#onBuilt = onBuilt
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      compilation.hooks.processAssets.tap({ name: NAME, stage: STAGE_ADDITIONAL }, () =>
        shrinkRuntimes(compilation),
      )
      compilation.hooks.processAssets.tapPromise({ name: NAME, stage: STAGE_REPORT }, async () => {
        const file = findFiles(compilation).get(PAGES_CHUNK)
        const asset = file === undefined ? undefined : compilation.getAsset(file)
        if (file === undefined || asset == null)
          throw new DocusaurusChangedError('the pages chunk was not emitted')
        this.#placements = await recordChunks(String(asset.source.source()))
        compilation.deleteAsset(file)
      })
    })
    compiler.hooks.afterEmit.tapPromise(NAME, async (compilation) => {
      const files = findFiles(compilation)
      this.#onBuilt({ outDir: compiler.outputPath, placements: this.#placements, files })
    })
  }
}

/** JavaScript file by chunk id, and by name for named chunks. */
function findFiles(compilation: Compilation): Map<string, string> {
  const files = new Map<string, string>()
  for (const { id, name, files: own } of compilation.chunks) {
    const script = [...own].find((file) => file.endsWith('.js'))
    if (script === undefined) continue
    files.set(String(id), script)
    if (name !== undefined) files.set(name, script)
  }
  return files
}

function shrinkRuntimes(compilation: Compilation): void {
  const pages = new Set<string>()
  for (const { id, name } of compilation.chunks) if (IS_PAGE.test(name ?? '')) pages.add(String(id))
  for (const chunk of compilation.chunks) {
    const [file] = chunk.hasRuntime() ? chunk.files : []
    const asset = file === undefined ? undefined : compilation.getAsset(file)
    if (file === undefined || asset == null) continue
    const source = shrinkRuntime(String(asset.source.source()), (id) => pages.has(id))
    compilation.updateAsset(file, new compilation.compiler.webpack.sources.RawSource(source))
  }
}
