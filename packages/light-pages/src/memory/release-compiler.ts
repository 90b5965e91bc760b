/** What is asked of a compiler to let it go; each is a circle through the bundler's native half. */
interface Compiler {
  hooks: {
    thisCompilation: { tap(name: string, run: (compilation: Compilation) => void): void }
    shutdown: { tap(name: string, run: () => void): void }
  }
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
