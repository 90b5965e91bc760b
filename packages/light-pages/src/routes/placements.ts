import type { Compilation, Compiler, RspackPluginInstance } from '@rspack/core'
import type { Bundle, BundleChunk, Placement } from '../bundle.ts'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'

/** Runtime helpers for other than plain ES modules: UMD, CommonJS and dynamic imports of it. */
const HELPERS = ['t', 'nmd', 'hmd', 'g', 'amdO', 'amdD']

/** Before anything is minimised or hashed. */
const STAGE_ADDITIONAL = -2000
const NAME = 'light-pages'

/** Reads from the bundler's graphs where the modules went that a generated list imports. */
export class PlacementsPlugin implements RspackPluginInstance {
  readonly #list: string
  readonly #unusedEntry: string | null
  readonly #onBuilt: (bundle: Bundle) => void

  /**
   * `unusedEntry` is a chunk that only makes others, and is itself not written: what its runtime has for the modules of pages,
   * the other entries' runtimes get.
   */
  constructor(list: string, unusedEntry: string | null, onBuilt: (bundle: Bundle) => void) {
    this.#list = list
    this.#unusedEntry = unusedEntry
    this.#onBuilt = onBuilt
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      compilation.hooks.additionalTreeRuntimeRequirements.tap(NAME, ({ name }, requirements) => {
        if (this.#unusedEntry === null || name === this.#unusedEntry) return
        for (const one of listHelpers(compilation)) requirements.add(`__webpack_require__.${one}`)
      })
      compilation.hooks.processAssets.tap({ name: NAME, stage: STAGE_ADDITIONAL }, () => {
        const unused = this.#unusedEntry === null ? undefined : compilation.namedChunks.get(this.#unusedEntry)
        for (const file of unused === undefined ? [] : [...unused.files])
          if (file.endsWith('.js')) compilation.deleteAsset(file)
      })
    })
    compiler.hooks.afterEmit.tap(NAME, (compilation) => {
      const placements = readPlacements(compilation, this.#list)
      this.#onBuilt({ outDir: compiler.outputPath, placements, chunks: readChunks(compilation) })
    })
  }
}

/**
 * By the modules alone, not by what the unused entry's runtime requires: the bundler visits entries in any order, and the main
 * script would be another one every time.
 */
function listHelpers({ modules, moduleGraph }: Compilation): string[] {
  const all = [...modules]
  const isAwaited = all.some((module) => moduleGraph.isAsync(module))
  const hasWebAssembly = all.some(({ type }) => type.startsWith('webassembly/'))
  return [...HELPERS, ...(isAwaited ? ['a'] : []), ...(hasWebAssembly ? ['v'] : [])]
}

function readPlacements({ modules, moduleGraph, chunkGraph }: Compilation, list: string) {
  const importer = [...modules].find((module) => 'resource' in module && module.resource === list)
  const placements = new Map<string, Placement>()
  for (const block of importer?.blocks ?? []) {
    const [dependency] = block.dependencies
    const module = dependency === undefined ? null : moduleGraph.getModule(dependency)
    const group = chunkGraph.getBlockChunkGroup(block)
    if (dependency?.request === undefined || module === null || group === null)
      throw new DocusaurusChangedError('the bundler does not tell where a module went')
    const chunks = group.chunks.map(({ id }) => String(id))
    placements.set(dependency.request, { module: String(chunkGraph.getModuleId(module)), chunks })
  }
  if (placements.size === 0) throw new DocusaurusChangedError(`the bundle has no modules of ${list}`)
  return placements
}

function readChunks(compilation: Compilation): Bundle['chunks'] {
  const chunks = new Map<string, BundleChunk>()
  for (const { id, name, files, groupsIterable } of compilation.chunks) {
    const groups = [...groupsIterable].flatMap(({ childrenIterable }) => childrenIterable)
    const children = new Set(groups.flatMap((group) => group.chunks.map((child) => String(child.id))))
    const file = [...files].find((name) => name.endsWith('.js'))
    const chunk: BundleChunk = { id: String(id), file, children: [...children] }
    chunks.set(chunk.id, chunk)
    if (name !== undefined) chunks.set(name, chunk)
  }
  return chunks
}
