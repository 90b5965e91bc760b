/** What keeps a finished compiler in memory, and how it is let go. Each is a circle through the bundler's native half. */
interface Compiler {
  options: { optimization: { splitChunks?: unknown } }
  webpack: { optimize: { SplitChunksPlugin: new (options: unknown) => SplitChunks } }
  hooks: {
    afterEnvironment: { tap(name: string, run: () => void): void }
    thisCompilation: { tap(name: string, run: (compilation: Compilation) => void): void }
    shutdown: { tap(name: string, run: () => void): void }
  }
  _lastCompilation?: unknown
}

interface SplitChunks {
  apply(compiler: unknown): void
  raw(compiler: unknown): unknown
}

interface RuntimeModule {
  compilation: unknown
  chunk: unknown
  chunkGraph: unknown
}

interface Compilation {
  addRuntimeModule(chunk: unknown, module: RuntimeModule): void
}

const NAME = 'sekisho-release'

/** A group's `test` is called with the compiler's graphs, for which the bundler's own plugin holds the compiler. */
export function splitChunksWithoutHold(compiler: Compiler): void {
  compiler.hooks.afterEnvironment.tap(NAME, () => {
    const { optimization } = compiler.options
    const { splitChunks } = optimization
    if (!splitChunks) return
    const plugin = new compiler.webpack.optimize.SplitChunksPlugin(splitChunks)
    // Its defaults are filled in by now; what is applied below is all that the bundler would have applied.
    optimization.splitChunks = false
    const raw = plugin.raw.bind(plugin)
    const stand = standIn(new WeakRef(compiler))
    plugin.raw = () => raw(stand)
    plugin.apply(compiler)
  })
}

/** Made in a function of its own: a closure holds everything that is in scope where it is written. */
function standIn(held: WeakRef<Compiler>): Pick<Compiler, '_lastCompilation'> {
  return {
    get _lastCompilation() {
      return held.deref()?._lastCompilation
    },
  }
}

/** A runtime module knows its compilation, and the bundler's native half holds the module. */
export function releaseRuntimeModules(compiler: Compiler): void {
  const added: RuntimeModule[] = []
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    const add = compilation.addRuntimeModule
    compilation.addRuntimeModule = (chunk, module) => {
      added.push(module)
      add.call(compilation, chunk, module)
    }
  })
  compiler.hooks.shutdown.tap(NAME, () => {
    for (const module of added.splice(0)) {
      module.compilation = null
      module.chunk = null
      module.chunkGraph = null
    }
  })
}

/** Plugins that note their compiler outlive it: Docusaurus keeps the configurations until the site is built. */
export function forgetCompiler(plugins: readonly unknown[], compiler: unknown): void {
  for (const plugin of plugins) {
    if (typeof plugin !== 'object' || plugin === null) continue
    const fields = plugin as { [name: string]: unknown }
    for (const name of Object.keys(fields)) if (fields[name] === compiler) fields[name] = undefined
  }
}
