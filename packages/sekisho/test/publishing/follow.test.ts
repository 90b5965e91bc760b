import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readPointer } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runFollow } from '../../src/commands/publish/follow.ts'
import { runTokens } from '../../src/commands/publish/tokens.ts'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { startServingGate } from '../support/serving-gate.ts'

const SEKISHO = fileURLToPath(new URL('../../bin/sekisho.mjs', import.meta.url))
const page = (title: string) =>
  `<!doctype html><html lang="ja"><title>${title}</title><main><h1>${title}</h1></main></html>`

let cleanup: AsyncDisposableStack
let root: string
let repository: string

const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: repository })

async function commit(title: string): Promise<void> {
  await writeFile(join(repository, 'docs', 'index.html'), page(title))
  await git('add', '--force', '.')
  await git('-c', 'user.name=writer', '-c', 'user.email=writer@sekisho.example', 'commit', '-qm', title)
}

/** A site whose own `sekisho build` packs a folder of HTML, and notes the settings that reached it. */
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  root = await mkdtemp(join(tmpdir(), 'sekisho-follow-'))
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  repository = join(root, 'upstream')
  const bin = join(repository, 'docs', 'node_modules', '.bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(repository, 'docs', 'package.json'), '{"name":"docs","private":true}')
  const script = `#!/bin/sh
env | grep ^SEKISHO_ | sort > '${root}/settings'
mkdir -p html && cp index.html html/ && exec '${process.execPath}' '${SEKISHO}' pack html "$2" "$3"
`
  await writeFile(join(bin, 'sekisho'), script)
  await chmod(join(bin, 'sekisho'), 0o755)
  await git('init', '-q', '-b', 'main')
})
afterEach(() => cleanup.disposeAsync())

async function follow(to: string, token: string, ...more: string[]) {
  const out: string[] = []
  const err: string[] = []
  const env = { SEKISHO_LANG: 'en', SEKISHO_PUBLISH_TOKEN: token }
  const code = await runFollow([repository, '--to', to, '--folder', 'docs', '--once', ...more], {
    ...{ env, cwd: root, clock: Date.now },
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

async function startPortal() {
  const dataDir = join(root, 'portal')
  const buildDir = join(root, 'build')
  await writeFixtureSite(buildDir)
  await packRelease({ buildDir, dataDir, clock: () => Date.UTC(2026, 0, 1) })
  const gate = cleanup.use(await startServingGate({ dataDir, isLocal: true }))
  const tokens: string[] = []
  await runTokens(['create', '--name', 'follow', '--expires', '1d', '--data-dir', dataDir], {
    ...{ env: {}, cwd: root, clock: Date.now, print: (line) => tokens.push(line), complain: () => {} },
  })
  const { releases } = dataFolderAt(dataDir)
  return { to: `http://localhost:${gate.port}`, token: tokens[0] ?? '', releases }
}

it('publishes the newest commit of a branch, and the next one, with no secret in the build; else says which step failed', {
  timeout: 120_000,
}, async () => {
  await commit('一')
  const { to, token, releases } = await startPortal()
  const before = await readPointer(releases)
  expect(await follow(to, token)).toMatchObject({ code: 0, err: '' })
  const first = await readPointer(releases)
  expect(first).not.toBe(before)
  await commit('二')
  expect(await follow(to, token)).toMatchObject({ code: 0, err: '' })
  const second = await readPointer(releases)
  expect(second).not.toBe(first)
  expect(await readFile(join(root, '.sekisho-follow', 'repository', 'docs', 'index.html'), 'utf8')).toContain(
    '二',
  )
  expect(await readFile(join(root, 'settings'), 'utf8')).not.toContain('TOKEN')

  await rm(join(repository, 'docs', 'node_modules', '.bin', 'sekisho'))
  await writeFile(join(repository, 'docs', 'node_modules', '.bin', 'other'), '')
  await commit('三')
  expect(await follow(to, token)).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not have sekisho'),
  })
  expect(await follow(to, token, '--branch', 'gone')).toMatchObject({
    code: 1,
    err: expect.stringContaining('git ls-remote failed'),
  })
  expect(await readPointer(releases)).toBe(second)
})

it.each([
  [['--to', 'https://docs.example.co.jp'], 'name the repository'],
  [['-x', '--to', 'https://docs.example.co.jp'], 'Unknown option'],
  [['repo', '--to', 'http://docs.example.co.jp'], 'https origin'],
  [['repo', '--to', 'https://docs.example.co.jp', '--branch', '--upload-pack=x'], 'branch'],
  [['repo', '--to', 'https://docs.example.co.jp', '--folder', '../etc'], 'within the repository'],
  [['repo', '--to', 'https://docs.example.co.jp', '--every', '0'], 'seconds'],
])('refuses %j', async (args, message) => {
  const err: string[] = []
  const code = await runFollow(args, {
    ...{ env: { SEKISHO_LANG: 'en' }, cwd: root, clock: Date.now, print: () => {} },
    complain: (line) => err.push(line),
  })
  expect([code, err.join('\n')]).toEqual([2, expect.stringContaining(message)])
})
