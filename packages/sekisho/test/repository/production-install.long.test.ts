import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createWireClient } from '@sekisho/verify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { installForProduction } from '../support/production-install.ts'
import { HOST, SETTINGS, startServingGate } from '../support/serving-gate.ts'

let root: string
let sekisho: string
let dataDir: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-production-'))
  sekisho = await installForProduction(join(root, 'app'))
  dataDir = join(root, 'data')
  await writeFixtureSite(join(root, 'build'))
  await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
})
afterAll(() => rm(root, { recursive: true }))

it('an installation without development packages serves: health, the login page, refusals', async () => {
  await using gate = await startServingGate({ dataDir, sekisho })
  const client = createWireClient(new URL(`http://127.0.0.1:${gate.port}`), { host: HOST })
  const ask = async (target: string, accept: string) => {
    const outcome = await client.exchange({ method: 'GET', target, headers: [['Accept', accept]] })
    return outcome.kind === 'response'
      ? [outcome.response.status, String(outcome.response.body)]
      : [outcome.kind]
  }
  expect(await ask('/__gate/health', '*/*')).toEqual([200, '{"status":"ok"}'])
  expect(await ask('/docs/secret', 'text/html')).toEqual([401, expect.stringContaining('ログイン | Sekisho')])
  expect(await ask('/docs/secret', '*/*')).toEqual([401, expect.stringContaining('signed_out')])
})

it.each(['query', 'indexer'])('it can load the search %s, which no stranger can ask for', (part) => {
  const script = `const { ${part === 'query' ? 'openIndex' : 'buildIndex'} } = await import('@sekisho/search/${part}')`
  expect(run(['--input-type=module', '-e', script])).toBe('')
})

const COMPILERS =
  /^(?:typescript|terser|lightningcss|esbuild|webpack|rollup|rolldown|vite|vitest|playwright|react-dom|postcss|acorn)|^@(?:typescript|rspack|swc|babel|docusaurus|types)\//

it('it holds no compiler, and less than 60 MB', async () => {
  const files = await readdir(join(root, 'app'), { recursive: true, withFileTypes: true })
  const names = files.flatMap(({ parentPath, name }) => {
    const [, scope] = /node_modules(?:\/(@[^/]+))?$/.exec(parentPath.replaceAll('\\', '/')) ?? ['', null]
    return scope === null ? [] : [scope === undefined ? name : `${scope}/${name}`]
  })
  expect(names).toContain('jose')
  expect(names.filter((name) => COMPILERS.test(name))).toEqual([])
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)))
  const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
  expect(bytes).toBeGreaterThan(10_000_000) // the dictionaries alone are more: so they were counted
  expect(bytes).toBeLessThan(60_000_000)
})

it('it has no identity service for one machine in it, and says so', () => {
  expect(existsSync(join(root, 'app', 'packages', 'server', 'src', 'identity'))).toBe(true)
  expect(existsSync(join(root, 'app', 'packages', 'server', 'src', 'local-identity'))).toBe(false)
  expect(() => run([sekisho, 'serve', '--local'])).toThrow('--local needs the development packages')
})

it.each(['pack', 'build'])('%s says where it runs instead', (command) => {
  expect(() => run([sekisho, command, join(root, 'build')])).toThrow('only the server is installed here')
})

it('without a built login page it says so when checked', async () => {
  expect(run([sekisho, 'check', '--offline'])).toContain('The settings are complete')
  await rm(join(root, 'app', 'packages', 'login', 'dist'), { recursive: true })
  expect(() => run([sekisho, 'check', '--offline'])).toThrow('the login page is not built')
})

function run(args: readonly string[]): string {
  const options = {
    cwd: join(root, 'app', 'packages', 'sekisho'),
    env: { ...SETTINGS, SEKISHO_DATA_DIR: dataDir },
    encoding: 'utf8',
    stdio: 'pipe',
  } as const
  return execFileSync(process.execPath, args, options)
}
