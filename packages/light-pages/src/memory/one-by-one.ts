import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Chunk, Compiler, Configuration, RuntimeModule, Stats } from '@rspack/core'

/** Number of pages from which on bundles are made one by one, unless the site says otherwise (decisions/066). */
export const BUNDLE_TOGETHER_BELOW = 2000

/** Fields that Docusaurus reads from a finished compilation. */
interface Outcome {
  hasErrors(): boolean
  toJson(): { errors: unknown[]; warnings: unknown[] }
}

type Create = (configuration: Configuration) => Compiler

/**
 * Makes the bundler build several bundles one by one and release each one's memory first. Two bundles of 5,000 pages and their rendering
 * exceed 4 GB together.
 */
export function bundleOneByOne<T extends object>(bundler: T): T {
  const create = bundler as unknown as Create
  return new Proxy(bundler, {
    apply: (_target, _this, [options]: [Configuration | Configuration[]]) =>
      Array.isArray(options) ? createSequence(options, create) : create(options),
  })
}

function createSequence(configurations: readonly Configuration[], create: Create) {
  return {
    run: (done: (error: Error | null, outcome?: Outcome) => void): void => {
      runAll(configurations, create).then((outcome) => done(null, outcome), done)
    },
    // Each was closed as soon as it had finished.
    close: (done: () => void): void => done(),
  }
}

async function runAll(configurations: readonly Configuration[], create: Create): Promise<Outcome> {
  const errors: unknown[] = []
  const warnings: unknown[] = []
  for (const configuration of configurations) {
    const part = await runOne(configuration, create)
    errors.push(...(part.errors ?? []))
    warnings.push(...(part.warnings ?? []))
    await collectGarbage()
    if (errors.length > 0) break
  }
  return { hasErrors: () => errors.length > 0, toJson: () => ({ errors, warnings }) }
}

async function runOne(configuration: Configuration, create: Create) {
  const plugins = [...(configuration.plugins ?? []), releaseRuntimeModules]
  const compiler = create({ ...configuration, plugins })
  const part = await new Promise<ReturnType<Stats['toJson']>>((resolve, reject) => {
    compiler.run((error, stats) =>
      stats === undefined ? reject(error) : resolve(stats.toJson('errors-warnings')),
    )
  })
  // The bundler's persistent cache is written by closing it.
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
  // Plugins that note their compiler outlive it: Docusaurus keeps the configurations until the site is built.
  for (const plugin of plugins) {
    for (const [name, value] of Object.entries(plugin || {}))
      if (value === compiler) Object.assign(plugin || {}, { [name]: undefined })
  }
  return part
}

/** A runtime module knows its compilation, and the bundler's native half holds the module. */
function releaseRuntimeModules({ hooks }: Compiler): void {
  const added: RuntimeModule[] = []
  hooks.thisCompilation.tap('light-pages', (compilation) => {
    const add = compilation.addRuntimeModule
    compilation.addRuntimeModule = (chunk: Chunk, module: RuntimeModule) => {
      added.push(module)
      add.call(compilation, chunk, module)
    }
  })
  hooks.shutdown.tap('light-pages', () => {
    for (const module of added.splice(0))
      Object.assign(module, { compilation: null, chunk: null, chunkGraph: null })
  })
}

/**
 * A compiler's gigabytes are not V8's, which therefore sees no reason to look for what is no longer used. Asked once
 * for what nothing refers to, and again for what only finalizers still did.
 */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let round = 0; round < 2; round += 1) {
    await new Promise((resolve) => setTimeout(resolve))
    collect()
  }
}
