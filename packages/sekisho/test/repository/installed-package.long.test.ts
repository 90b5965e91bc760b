import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ROUTES } from '@sekisho/contract/routes'
import { findFreePort } from '@sekisho/server/state/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeClassicSite } from '../support/classic-site.ts'

/** Installing and building a whole site takes its time. */
const MINUTES_MS = 60_000
const PACK = fileURLToPath(new URL('../../pack/main.ts', import.meta.url))
const MAX_PACKAGES = 80
const MAX_BYTES = 60_000_000

const run = promisify(execFile)
let root: string
let site: string
let sekisho: string
let tarball: string
let npm: readonly [command: string, ...args: string[]]

beforeAll(async () => {
  const script = process.env.npm_execpath
  npm = script !== undefined && /\.c?js$/.test(script) ? [process.execPath, script] : ['npm']
  root = await mkdtemp(join(tmpdir(), 'sekisho-installed-'))
  site = join(root, 'handbook')
  await run(process.execPath, [PACK, root])
  tarball = (await readdir(root)).find((name) => name.endsWith('.tgz')) ?? ''
  await writeClassicSite(site)
  const [command, ...args] = npm
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await run(command, [...args, 'install', '--save-dev', join(root, tarball), ...options], { cwd: site })
  sekisho = join(site, 'node_modules', 'sekisho', 'bin', 'installed.mjs')
}, 10 * MINUTES_MS)
afterAll(() => rm(root, { recursive: true }))

it('one package: few others that the site does not have already, and not heavy', async () => {
  const { dependencies = {} } = JSON.parse(await readFile(join(site, 'package.json'), 'utf8'))
  const before = await Promise.all(Object.keys(dependencies).map(listInstalled))
  const installed = (await listInstalled('sekisho')).difference(new Set(before.flatMap((set) => [...set])))
  expect(installed).toContain('node_modules/sekisho')
  const bytes = await Promise.all([...installed].map((path) => sizeOf(join(site, path))))
  expect(installed.size).toBeLessThan(MAX_PACKAGES)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
  expect([...installed].filter((path) => /firebase|@sekisho/.test(path))).toEqual([])
})

it('is described as registries and bundlers want it, and every dependency is imported', async () => {
  const linter = fileURLToPath(new URL('../../../../node_modules/publint/src/cli.js', import.meta.url))
  const { stdout } = await run(process.execPath, [linter, join(root, tarball), '--strict'])
  expect(stdout).toContain('All good!')
  const folder = join(site, 'node_modules', 'sekisho')
  const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  for (const field of ['repository', 'homepage', 'bugs', 'keywords', 'engines', 'publishConfig', 'license'])
    expect(described).toHaveProperty(field)
  const files = (await readdir(join(folder, 'dist'), { recursive: true })).filter((file) =>
    /\.m?js$/.test(file),
  )
  const texts = await Promise.all(files.map((file) => readFile(join(folder, 'dist', file), 'utf8')))
  const unused = Object.keys(described.dependencies).filter(
    (name) => !texts.some((text) => text.includes(`'${name}`)),
  )
  expect(unused).toEqual([])
})

it('every command is there, whole', async () => {
  const { stdout } = await run(process.execPath, [sekisho, '--help'])
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name)
  expect(names).toContain('check')
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) {
    const help = await run(process.execPath, [sekisho, name, '--help'], { cwd: site })
    expect(help.stdout).toMatch(/^Usage: sekisho /)
  }
}, 300_000)

it('says one sentence on a Node that is too old, before it loads anything', async () => {
  const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"22.1.0"}})'
  await expect(run(process.execPath, ['--import', old, sekisho, 'start'])).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^sekisho: this needs Node 24 or newer, .*\n$/),
  })
})

it('init changes one line and says so, changes nothing the second time, and takes everything back', async () => {
  const before = await readSite()
  const first = await run(process.execPath, [sekisho, 'init', '--yes'], { cwd: site })
  expect(first.stdout).toContain("docusaurus.config.js: one line: 'sekisho/docusaurus' among the themes")
  const after = await readSite()
  expect(await readSite()).not.toEqual(before)

  const second = await run(process.execPath, [sekisho, 'init', '--yes'], { cwd: site })
  expect(second.stdout).toContain('Nothing to change')
  expect(await readSite()).toEqual(after)

  await run(process.execPath, [sekisho, 'init', '--undo', '--yes'], { cwd: site })
  expect(await readSite()).toEqual(before)
})

it(
  'start builds and serves: nothing for strangers, pages and search for who signed in; verify finds it closed',
  async () => {
    await run(process.execPath, [sekisho, 'init', '--yes'], { cwd: site })
    const port = await findFreePort()
    const { gate, output } = await start(port)
    try {
      const origin = `http://localhost:${port}`
      const stranger = await fetch(`${origin}/docs/burrows`, { headers: { accept: 'text/html' } })
      const page = await stranger.text()
      expect([stranger.status, page]).toEqual([401, expect.stringContaining('<html lang="en">')])
      expect(page).toContain('Wombat Handbook')
      expect(page).not.toContain('thirty metres')

      const headers = { cookie: await signIn(origin), accept: 'text/html' }
      const reader = await fetch(`${origin}/docs/burrows`, { headers })
      expect([reader.status, await reader.text()]).toEqual([200, expect.stringContaining('thirty metres')])
      const found = await fetch(`${origin}${ROUTES.search.path}?q=wombat+burrow`, { headers })
      expect(await found.json()).toHaveProperty('results.0.url', '/docs/burrows')
    } finally {
      gate.kill('SIGTERM')
      await once(gate, 'exit')
    }
    expect(gate.exitCode).toBe(0)
    expect(output()).toContain('docs/intro.md:9: this live code is shown as any other code')
    const proof = await run(process.execPath, [sekisho, 'verify', '--quick'], { cwd: site, maxBuffer: 1e8 })
    expect(proof.stdout).toContain('Closed: nothing of the release left the gate')
  },
  5 * MINUTES_MS,
)

/** Paths of a package and of all it needs, as npm placed them. */
async function listInstalled(name: string): Promise<ReadonlySet<string>> {
  const lock: unknown = JSON.parse(await readFile(join(site, 'node_modules/.package-lock.json'), 'utf8'))
  const found = new Set<string>()
  const add = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const needed of Object.keys(field(field(field(lock, 'packages'), path), 'dependencies') ?? {})) {
      const own = `${path}/node_modules/${needed}`
      add(field(field(lock, 'packages'), own) === undefined ? `node_modules/${needed}` : own)
    }
  }
  add(`node_modules/${name}`)
  return found
}

const field = (value: unknown, key: string): object | undefined =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Everything in the site that is not made by installing or building it. */
async function readSite(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(site)).filter((name) => !/^node_modules$|^\.docusaurus$/.test(name))
  const files: Record<string, string> = {}
  for (const name of names.sort())
    files[name] = await readFile(join(site, name), 'utf8').catch(() => 'a folder')
  return files
}

/** Starts the gate from the site's folder, as an owner would, and waits for its address. */
async function start(port: number): Promise<{ gate: ChildProcess; output: () => string }> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, PORT: String(port) }
  const child = spawn(process.execPath, [sekisho, 'start'], { cwd: site, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${output}`)))
    child.stdout.on('data', () => output.includes(`Sekisho is ready: http://localhost:${port}`) && resolve())
  })
  child.removeAllListeners('exit')
  return { gate: child, output: () => output }
}

/** Signs in like the login page, without a browser: the picker's response becomes tokens, and those a session. */
async function signIn(origin: string): Promise<string> {
  const claims = {
    sub: 'google-1',
    email: 'hanako.sato@sekisho.example',
    email_verified: true,
    name: '佐藤 花子',
  }
  const query = new URLSearchParams({ providerId: 'google.com', id_token: JSON.stringify(claims) })
  const headers = { 'content-type': 'application/json', origin }
  const signedIn = await fetch(
    `${origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=local`,
    {
      method: 'POST',
      headers,
      body: JSON.stringify({
        requestUri: `${origin}/emulator/auth/handler?${query}`,
        returnSecureToken: true,
      }),
    },
  )
  const { idToken, refreshToken } = Object(await signedIn.json())
  const opened = await fetch(`${origin}${ROUTES.session.path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ idToken, refreshToken }),
  })
  expect(opened.status).toBe(204)
  return opened.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
