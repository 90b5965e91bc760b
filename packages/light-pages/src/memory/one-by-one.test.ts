import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { bundleOneByOne } from './one-by-one.ts'

const FOLDER = join(import.meta.dirname, '../../.cache/one-by-one')
const faster = createRequire(createRequire(import.meta.url).resolve('@docusaurus/faster'))
const rspack = faster('@rspack/core') as object & {
  RuntimeModule: new (name: string, stage: number) => { compilation: { hash: string }; generate(): string }
}

interface Compiler {
  hooks: {
    run: { tap(name: string, run: () => void): void }
    done: { tap(name: string, run: () => void): void }
    thisCompilation: { tap(name: string, run: (compilation: Compilation) => void): void }
  }
}

interface Compilation {
  hooks: { additionalTreeRuntimeRequirements: { tap(name: string, run: (chunk: object) => void): void } }
  addRuntimeModule(chunk: object, module: object): void
}

let events: string[] = []
let compilers: WeakRef<Compiler>[] = []
afterEach(() => {
  events = []
  compilers = []
})

/** Does what Docusaurus' own plugins do: notes the compiler, and adds code to the runtime that looks at it. */
class HoldingPlugin {
  compiler: Compiler | null = null
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  apply(compiler: Compiler): void {
    this.compiler = compiler
    compilers.push(new WeakRef(compiler))
    compiler.hooks.run.tap('test', () => events.push(`${this.name} starts`))
    compiler.hooks.done.tap('test', () => events.push(`${this.name} ends`))
    compiler.hooks.thisCompilation.tap('test', (compilation) => {
      compilation.hooks.additionalTreeRuntimeRequirements.tap('test', (chunk) =>
        compilation.addRuntimeModule(chunk, new HoldingModule('test', 10)),
      )
    })
  }
}

class HoldingModule extends rspack.RuntimeModule {
  override generate(): string {
    return `// ${typeof this.compilation.hash}`
  }
}

function configure(name: string, source = "import('./shared.js')"): object {
  const context = join(FOLDER, name)
  mkdirSync(context, { recursive: true })
  writeFileSync(join(context, 'entry.js'), source)
  writeFileSync(join(context, 'shared.js'), 'export default 1')
  return {
    name,
    mode: 'production',
    context,
    entry: './entry.js',
    output: { path: join(context, 'out') },
    plugins: [new HoldingPlugin(name)],
  }
}

function build(configurations: object[]) {
  const create = bundleOneByOne(rspack) as unknown as (configurations: object[]) => {
    run(
      done: (error: Error | null, stats: { hasErrors(): boolean; toJson(): { errors: unknown[] } }) => void,
    ): void
  }
  return new Promise<{ hasErrors: boolean; errors: unknown[] }>((resolve, reject) => {
    create(configurations).run((error, stats) => {
      if (error !== null) reject(error)
      else resolve({ hasErrors: stats.hasErrors(), errors: stats.toJson().errors })
    })
  })
}

it('makes one bundle after the other, and holds none of the compilers afterwards', async () => {
  const configurations = [configure('client'), configure('server')]
  expect(await build(configurations)).toEqual({ hasErrors: false, errors: [] })
  expect(events).toEqual(['client starts', 'client ends', 'server starts', 'server ends'])
  expect(compilers.map((compiler) => compiler.deref())).toEqual([undefined, undefined])
})

it('stops at the first bundle that has errors, and passes them on', async () => {
  const answer = await build([configure('broken', "import './nowhere.js'"), configure('server')])
  expect(answer.hasErrors).toBe(true)
  expect(JSON.stringify(answer.errors)).toContain('nowhere.js')
  expect(events).toEqual(['broken starts', 'broken ends'])
})
