import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@sekisho/server/state/testing'
import { beforeEach, expect, it } from 'vitest'

const BIN = fileURLToPath(new URL('../../bin/sekisho.mjs', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url))
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sekisho-first-'))
})

const start = (args: readonly string[], port = 3000) => {
  const { PATH, HOME } = process.env
  // Settings of another portal, which the demo must not take up.
  const env = {
    PATH,
    HOME,
    TMPDIR: folder,
    PORT: String(port),
    SEKISHO_ORIGIN: 'https://docs.example.com',
    SEKISHO_RELEASES: 's3://b',
  }
  return spawn(process.execPath, [BIN, ...args], { cwd: folder, env })
}
async function run(...args: string[]) {
  const child = start(args)
  const [[code], printed, complained] = await Promise.all([
    once(child, 'close'),
    child.stdout.toArray(),
    child.stderr.toArray(),
  ])
  return { code, printed: printed.join(''), complained: complained.join('') }
}

it('prints its version', async () => {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8'))
  expect(await run('--version')).toEqual({ code: 0, printed: `${version}\n`, complained: '' })
})

it('names three ways to start outside of a site, and all commands in one', async () => {
  const outside = await run('--lang', 'ja')
  expect(outside.code).toBe(2)
  const ways = [...outside.complained.matchAll(/^ {2}sekisho (\S+)/gm)].map(([, name]) => name)
  expect(ways).toEqual(['demo', 'init', 'pack'])
  await writeFile(join(folder, 'docusaurus.config.js'), 'export default {}')
  const inside = await run('--lang', 'en')
  expect(inside.complained).toContain('  publish  ')
})

it('demo serves a portal to signed-in readers, and leaves nothing', { timeout: 120_000 }, async () => {
  const port = await findFreePort()
  const child = start(['demo', '--lang', 'en'], port)
  try {
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += chunk))
    child.stderr.on('data', (chunk) => (printed += chunk))
    while (!printed.includes(`ready: http://localhost:${port}`)) {
      expect(child.exitCode, printed).toBeNull()
      await once(child.stdout, 'data')
    }
    const page = await fetch(`http://localhost:${port}/expenses`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([401, expect.not.stringContaining('Receipts')])
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  expect([child.exitCode, await readdir(folder)]).toEqual([0, []])
})
