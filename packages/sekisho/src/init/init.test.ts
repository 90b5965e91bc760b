import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { runInit } from './init.ts'

const CONFIG = "export default { title: 'Wombats', url: 'https://wombats.example', baseUrl: '/' }\n"
const INSTALLED = join(
  dirname(createRequire(import.meta.url).resolve('@docusaurus/core/package.json')),
  '../..',
)

async function createSite() {
  const dir = await mkdtemp(join(tmpdir(), 'sekisho-init-'))
  await symlink(INSTALLED, join(dir, 'node_modules'))
  await writeFile(join(dir, 'package.json'), '{ "private": true }')
  await writeFile(join(dir, 'docusaurus.config.js'), CONFIG)
  const said: string[] = []
  const say = (line: string) => said.push(line)
  return {
    dir,
    said,
    init: (...args: string[]) =>
      runInit([...args, '--yes'], { env: {}, cwd: dir, clock: Date.now, print: say, complain: say }),
    read: (name: string) => readFile(join(dir, name), 'utf8').catch(() => null),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  }
}

it('switches on no tool but those that were named', async () => {
  await using site = await createSite()
  expect(await site.init('--tools', 'zoom,prints')).toBe(2)
  expect(site.said.at(-1)).toBe('sekisho init: --tools knows opinions, markdown, zoom, and not prints')
  expect(await site.init()).toBe(0)
  expect(await site.read('docusaurus.config.js')).toContain("themes: ['sekisho/docusaurus'],")
  expect(await site.init('--undo')).toBe(0)
  expect(await site.init('--tools', 'opinions, zoom')).toBe(0)
  expect(await site.read('docusaurus.config.js')).toContain(
    "themes: [['sekisho/docusaurus', { tools: { opinions: true, zoom: true } }]],",
  )
})

it('keeps out of Git what builds and gates leave, for as long as it is there', async () => {
  await using site = await createSite()
  await writeFile(join(site.dir, '.gitignore'), 'build\n')
  await site.init()
  const ignored = await site.read('.gitignore')
  expect(ignored).toMatch(/^build\n.*^\.sekisho\/$.*^\.cache\/$/ms)

  for (const folder of ['.sekisho', '.cache/sekisho-search', '.cache/of-somebody-else'])
    await mkdir(join(site.dir, folder), { recursive: true })
  await writeFile(join(site.dir, '.sekisho', 'secret'), 'wombat')
  expect(await site.init('--undo')).toBe(0)
  expect(await site.read('docusaurus.config.js')).toBe(CONFIG)
  expect(await site.read('.gitignore')).toBe(ignored)
  expect(await site.read('.sekisho/secret')).toBe('wombat')
  expect(site.said).toContain(
    '  .sekisho stays (releases, sessions, audit trail and secrets); --all takes it away as well',
  )

  expect(await site.init('--undo', '--all')).toBe(0)
  expect(await site.read('.gitignore')).toBe('build\n')
  expect(['.sekisho', '.cache/sekisho-search'].map((name) => existsSync(join(site.dir, name)))).toEqual([
    false,
    false,
  ])
  expect(existsSync(join(site.dir, '.cache/of-somebody-else'))).toBe(true)
})
