import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInit } from '../../src/authoring/init/init.ts'
import type { CommandIo } from '../../src/command.ts'

/** The oldest version that a site may have, and what of it loads a config; the rest is that of this repository. */
const OLDEST = '3.6.3'
const LOADER = ['utils', 'logger']
const OURS = dirname(
  dirname(dirname(createRequire(import.meta.url).resolve('@docusaurus/core/package.json'))),
)

const run = promisify(execFile)
const NAMES = "title: 'Wombats', url: 'https://wombats.example', baseUrl: '/'"

/** Configs as sites write them: the kind of module, its file, and what else it reads. */
const KINDS: readonly [kind: string, file: string, text: string, others: Record<string, string>][] = [
  ['CommonJS', 'config.js', `module.exports = { ${NAMES} }\n`, {}],
  ['CommonJS by name', 'config.js', `const config = { ${NAMES} }\nmodule.exports = config\n`, {}],
  ['CommonJS with its own ending', 'config.cjs', `module.exports = { ${NAMES} }\n`, {}],
  ['an ES module', 'config.js', `const config = { ${NAMES} }\nexport default config\n`, {}],
  ['an ES module with its own ending', 'config.mjs', `export default { ${NAMES} }\n`, {}],
  [
    'TypeScript',
    'config.ts',
    `const config: { title: string } & object = { ${NAMES} }\nexport default config\n`,
    {},
  ],
  ['a function', 'config.js', `module.exports = function createConfig() {\n  return { ${NAMES} }\n}\n`, {}],
  [
    'an asynchronous function',
    'config.js',
    `module.exports = async () => {\n  const { title } = await import('./parts.mjs')\n  return { ${NAMES}, tagline: title }\n}\n`,
    { 'parts.mjs': "export const title = 'Wombats'\n" },
  ],
  [
    'a config of required parts',
    'config.js',
    `const parts = require('./parts.js')\nmodule.exports = { ...parts, ${NAMES} }\n`,
    { 'parts.js': 'module.exports = { themeConfig: {}, plugins: [] }\n' },
  ],
  [
    'a config of imported parts',
    'config.ts',
    `import { plugins } from './parts'\nexport default { ${NAMES}, plugins }\n`,
    { 'parts.ts': 'export const plugins: string[] = []\n' },
  ],
]

let root: string
let oldest: string

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sekisho-configs-')))
  oldest = await installOldest()
}, 120_000)
afterAll(() => rm(root, { recursive: true }))

/** The oldest version reads files by their ending in its own way; what a module does inside is the same in both. */
const OF_OLDEST = KINDS.filter(([kind]) => /^(?:CommonJS|an ES module|TypeScript)$/.test(kind))

describe.each([
  ['the oldest', OF_OLDEST],
  ['the newest', KINDS],
] as const)('init on %s Docusaurus', (age, kinds) => {
  it.each(kinds)('%s: one line, seen by Docusaurus, and taken back', async (kind, file, text, others) => {
    const site = join(root, `${age} ${kind}`)
    await mkdir(site)
    await symlink(age === 'the newest' ? OURS : oldest, join(site, 'node_modules'))
    const files = { 'package.json': '{ "private": true }', [`docusaurus.${file}`]: text, ...others }
    for (const [name, content] of Object.entries(files)) await writeFile(join(site, name), content)
    const complaints: string[] = []
    const io: CommandIo = {
      env: {},
      cwd: site,
      clock: Date.now,
      print: () => {},
      complain: (line) => complaints.push(line),
    }
    expect([await runInit(['--yes'], io), complaints]).toEqual([0, []])
    expect(await readFile(join(site, `docusaurus.${file}`), 'utf8')).toContain(
      "themes: ['sekisho/docusaurus']",
    )
    expect(await runInit(['--undo', '--yes'], io)).toBe(0)
    expect(await readFile(join(site, `docusaurus.${file}`), 'utf8')).toBe(text)
  })
})

/** The packages of this repository, but for what reads a config. */
async function installOldest(): Promise<string> {
  const folder = join(root, 'node_modules')
  await mkdir(join(folder, '@docusaurus', 'core'), { recursive: true })
  for (const name of await readdir(OURS))
    if (name !== '@docusaurus' && !name.startsWith('.')) await symlink(join(OURS, name), join(folder, name))
  await writeFile(join(folder, '@docusaurus', 'core', 'package.json'), `{ "version": "${OLDEST}" }`)
  const script = process.env.npm_execpath
  const npm = script !== undefined && /\.c?js$/.test(script) ? [process.execPath, script] : ['npm']
  const [command = '', ...args] = [...npm, 'pack', '--silent', '--prefer-offline']
  for (const name of LOADER) {
    const { stdout } = await run(command, [...args, `@docusaurus/${name}@${OLDEST}`], { cwd: root })
    const target = join(folder, '@docusaurus', name)
    await mkdir(target)
    await run('tar', ['-xzf', join(root, stdout.trim()), '-C', target, '--strip-components=1'])
  }
  // Of its utilities no more than that: the others ask for packages that are no longer here.
  await writeFile(join(folder, '@docusaurus/utils/package.json'), '{ "main": "lib/moduleUtils.js" }')
  return folder
}
