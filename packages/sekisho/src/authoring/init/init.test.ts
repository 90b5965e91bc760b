import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { runInit } from './init.ts'
import { removeCommand } from './plan.ts'

const CONFIG = "export default { title: 'Wombats', url: 'https://wombats.example', baseUrl: '/' }\n"
const LISTED = `export default {
  title: 'ウォンバット', url: 'https://wombats.example', baseUrl: '/', i18n: { defaultLocale: 'ja', locales: ['ja'] },
  plugins: ['redocusaurus', '@docusaurus/plugin-pwa', 'of-our-own', '@docusaurus/plugin-google-gtag'],
  themes: ['@docusaurus/theme-mermaid', 'docusaurus-lunr-search'],
}
`
const JAPANESE = /[ぁ-んァ-ヶ一-龠]/
const INSTALLED = join(
  dirname(createRequire(import.meta.url).resolve('@docusaurus/core/package.json')),
  '../..',
)

async function createSite(lang = 'C') {
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
      runInit([...args, '--yes'], {
        env: { LANG: lang },
        cwd: dir,
        clock: Date.now,
        print: say,
        complain: say,
      }),
    read: (name: string) => readFile(join(dir, name), 'utf8').catch(() => null),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  }
}

it('switches on no tool but those that were named', async () => {
  await using site = await createSite()
  expect(await site.init('--tools', 'zoom,prints')).toBe(2)
  expect(site.said.at(-1)).toMatch(
    /^--tools knows feedback, markdown, zoom, and not prints \[init.unknown_tools\]/,
  )
  expect(await site.init('--tools', 'feedback, zoom')).toBe(0)
  expect(await site.read('docusaurus.config.js')).toContain(
    "themes: [['sekisho/docusaurus', { tools: { feedback: true, zoom: true } }]],",
  )
})

it.each([
  ['yarn.lock', 'yarn remove'],
  ['pnpm-lock.yaml', 'pnpm remove'],
  ['bun.lockb', 'bun remove'],
  ['README.md', 'npm uninstall'],
])('names for a site with %s in a repository of npm the command %s', async (name, command) => {
  const dir = await mkdtemp(join(tmpdir(), 'sekisho-init-'))
  await mkdir(join(dir, 'site/docs'), { recursive: true })
  for (const file of ['package-lock.json', `site/${name}`]) await writeFile(join(dir, file), '')
  expect(removeCommand({ dir: join(dir, 'site/docs') })).toBe(command)
})

it('keeps out of Git what builds and gates leave, for as long as it is there', async () => {
  await using site = await createSite()
  await writeFile(join(site.dir, '.gitignore'), 'build\n')
  await site.init()
  expect(await site.read('docusaurus.config.js')).toContain("themes: ['sekisho/docusaurus'],")
  const ignored = await site.read('.gitignore')
  expect(ignored).toMatch(/^build\n.*^\.sekisho\/$.*^\.cache\/$/ms)

  for (const folder of [
    '.sekisho',
    '.cache/sekisho-search',
    '.cache/edition',
    '.cache/earlier-builds',
    '.cache/of-somebody-else',
  ])
    await mkdir(join(site.dir, folder), { recursive: true })
  await writeFile(join(site.dir, '.sekisho', 'secret'), 'wombat')
  expect(await site.init('--undo')).toBe(0)
  expect(await site.read('docusaurus.config.js')).toBe(CONFIG)
  expect(await site.read('.gitignore')).toBe(ignored)
  expect(await site.read('.sekisho/secret')).toBe('wombat')
  expect(site.said).toContain(
    '  .sekisho is kept (releases, sessions, audit trail and secrets); --all deletes it as well',
  )

  expect(await site.init('--undo', '--all')).toBe(0)
  expect(await site.read('.gitignore')).toBe('build\n')
  const left = () => ['.sekisho', '.cache'].filter((name) => existsSync(join(site.dir, name)))
  expect(await readdir(join(site.dir, '.cache'))).toEqual(['of-somebody-else'])

  await rm(join(site.dir, '.cache/of-somebody-else'), { recursive: true })
  await mkdir(join(site.dir, '.cache/edition-searches'))
  expect(await site.init('--undo', '--all')).toBe(0)
  expect(left()).toEqual([])
})

it('says everything in the language of the terminal, and writes the settings in that of the site', async () => {
  await using site = await createSite('ja_JP.UTF-8')
  await writeFile(join(site.dir, 'docusaurus.config.js'), LISTED)
  expect(await site.init()).toBe(0)
  const settings = (await site.read('sekisho.env')) ?? ''
  await mkdir(join(site.dir, '.sekisho'))
  expect(await site.init()).toBe(0)
  expect(await site.init('--undo')).toBe(0)
  expect(await site.init('--undo')).toBe(0)
  expect(await site.init('--tools', 'prints')).toBe(2)
  expect(site.said.pop()).toMatch(/^--tools に.* \[init\.unknown_tools\]\n\n使い方: /)
  const untold = /^ {2}(?:@docusaurus\/theme-mermaid|SEKISHO_CSP_ALLOW=".*")$/
  const lines = site.said.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(30)
  expect(lines.filter((line) => !JAPANESE.test(line) && !untold.test(line))).toEqual([])

  const comments = settings.split('\n').filter((line) => /^# (?![A-Z_]+=)/.test(line))
  expect(comments.length).toBeGreaterThan(8)
  expect(comments.filter((line) => !JAPANESE.test(line))).toEqual([])
  expect(settings).toMatch(/^# SEKISHO_IDENTITY=oidc$/m)
})

it.each([
  ['ja_JP.UTF-8', '../elsewhere', /Docusaurus のサイトではありません/],
  ['C', '../elsewhere', /is not a Docusaurus site/],
])('a site that is not there is said as %s has it', async (lang, named, said) => {
  await using site = await createSite(lang)
  expect(await site.init('--site', named)).toBe(1)
  expect(site.said.at(-1)).toMatch(said)
})
