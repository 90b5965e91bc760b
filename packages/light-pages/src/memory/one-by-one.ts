import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { forgetCompiler, releaseRuntimeModules } from './release-compiler.ts'

/** Number of pages from which on bundles are made one by one, unless the site says otherwise (decisions/066). */
export const BUNDLE_TOGETHER_BELOW = 2000

/** What Docusaurus asks of a finished compilation. */
interface Stats {
  hasErrors(): boolean
  toJson(preset: string): { errors?: unknown[]; warnings?: unknown[] }
}

type Done<T extends unknown[]> = (error: Error | null, ...results: T) => void

/** What Docusaurus asks of a compiler. */
interface Compiler {
  run(done: Done<[stats?: Stats]>): void
  close(done: (error?: Error | null) => void): void
}

type Run = (configuration: unknown) => Compiler

interface Configuration {
  plugins: unknown[]
}

/**
 * The bundler, made to build one bundle after the other when it is asked for several, and to give a bundle's memory back
 * before the next one starts: the two bundles of 5,000 pages and the rendering of them do not fit into 4 GB together.
 */
export function bundleOneByOne<T extends object>(bundler: T): T {
  const create = bundler as unknown as Run
  return new Proxy(bundler, {
    apply: (_target, _this, [options]: [unknown]) =>
      Array.isArray(options) ? createSequence(options, create) : create(options),
  })
}

function createSequence(configurations: readonly unknown[], create: Run): Compiler {
  const queue = [...configurations]
  return {
    run(done) {
      runAll(queue, create).then(
        (stats) => done(null, stats),
        (error: Error) => done(error),
      )
    },
    // Each was closed as soon as it had finished.
    close: (done) => done(),
  }
}

async function runAll(queue: unknown[], create: Run): Promise<Stats> {
  const parts: ReturnType<Stats['toJson']>[] = []
  let failed = false
  for (let next = queue.shift(); next !== undefined && !failed; next = queue.shift()) {
    const { part, hasErrors } = await runOne(holdLightly(next), create)
    parts.push(part)
    failed = hasErrors
    await collectGarbage()
  }
  return {
    hasErrors: () => failed,
    toJson: () => ({
      errors: parts.flatMap(({ errors = [] }) => errors),
      warnings: parts.flatMap(({ warnings = [] }) => warnings),
    }),
  }
}

function holdLightly(configuration: unknown): Configuration {
  const { plugins = [] } = configuration as { plugins?: unknown[] }
  return { ...(configuration as object), plugins: [...plugins, releaseRuntimeModules] }
}

async function runOne(configuration: Configuration, create: Run) {
  const compiler = create(configuration)
  const result = await new Promise<{ part: ReturnType<Stats['toJson']>; hasErrors: boolean }>(
    (resolve, reject) => {
      compiler.run((error, stats) => {
        if (error !== null || stats === undefined) reject(error ?? new Error('the bundler answered nothing'))
        else resolve({ part: stats.toJson('errors-warnings'), hasErrors: stats.hasErrors() })
      })
    },
  )
  // The bundler's persistent cache is written by closing it.
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
  forgetCompiler(configuration.plugins, compiler)
  return result
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
