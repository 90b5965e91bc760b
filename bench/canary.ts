import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import contract from '@sekisho/light-pages/docusaurus-contract.json' with { type: 'json' }
import { createCorpus, findDeepPage } from './corpus/tree.ts'
import { type Variant, writeDocusaurusSite } from './corpus/write-docusaurus.ts'
import { installPeer } from './subjects/install-peer.ts'

/** Builds a small site on the newest Docusaurus canary and says what fails. A report: only its own faults make it fail. */
const ROOT = join(import.meta.dirname, '..')
const DOCUSAURUS = ['core', 'faster', 'plugin-content-docs', 'theme-classic']
const FEATURES = ['routes', 'code', 'styles']
/** Features of one build, and the site that is built with them; `null` leaves the environment alone. */
const BUILDS: [what: string, variant: Variant, features: string | null][] = [
  ['stock', 'stock', null],
  ['light pages', 'sekisho', null],
  ...FEATURES.map((name): (typeof BUILDS)[number] => [`light pages, only ${name}`, 'sekisho', name]),
  ['@sekisho/docusaurus', 'release', null],
  ['@sekisho/docusaurus without light pages', 'release', 'off'],
]

const version = findCanary()
console.log(`Docusaurus ${version}`)
const dir = install(version)
const failed = BUILDS.filter(([what, variant, features]) => !build(what, variant, features))
const missing = contract.filter(([, file = '', text = '']) => !readModule(file).includes(text))
for (const [what, file] of missing) console.log(`! no longer found in @docusaurus/${file}: ${what}`)
console.log(
  `${BUILDS.length - failed.length} of ${BUILDS.length} builds succeeded; ` +
    `${contract.length - missing.length} of ${contract.length} lines that light pages rely on are there.`,
)

/** The newest canary of which the registry has every package. Its `canary` tag is not asked: mirrors leave it out. */
function findCanary(): string {
  const lists = DOCUSAURUS.map((name) => {
    const args = ['view', `@docusaurus/${name}`, 'versions', '--json']
    return JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as string[]
  })
  const isCanary = (one: string) =>
    one.includes('-canary-') && lists.every((versions) => versions.includes(one))
  const newest = lists[0]?.findLast(isCanary)
  if (newest === undefined) throw new Error('the registry has no canary of Docusaurus')
  return newest
}

/** The canary beside copies of our packages, which therefore find it and not the Docusaurus of the workspaces. */
function install(docusaurus: string): string {
  const dependencies: { [name: string]: string } = {}
  for (const name of DOCUSAURUS) dependencies[`@docusaurus/${name}`] = docusaurus
  const site = JSON.parse(readFileSync(join(ROOT, 'site/package.json'), 'utf8')).dependencies
  for (const name of ['@mdx-js/react', 'clsx', 'prism-react-renderer', 'react', 'react-dom'])
    dependencies[name] = site[name]
  const packages = new Set(['light-pages', 'docusaurus'])
  for (const name of packages) {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
    for (const [dependency, range] of Object.entries<string>(manifest.dependencies ?? {})) {
      if (dependency.startsWith('@sekisho/')) packages.add(dependency.slice('@sekisho/'.length))
      else dependencies[dependency] = range
    }
  }
  const folder = installPeer('docusaurus-canary', dependencies, ['legacy-peer-deps=true'])
  const scope = join(folder, 'node_modules/@sekisho')
  for (const made of [scope, join(folder, 'packages')]) {
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made, { recursive: true })
  }
  for (const name of packages) {
    const copy = join(folder, 'packages', name)
    const filter = (source: string) => !/[\\/](?:node_modules|\.cache)$|\.test\.tsx?$/.test(source)
    cpSync(join(ROOT, 'packages', name), copy, { recursive: true, filter })
    symlinkSync(copy, join(scope, name), 'junction')
  }
  return folder
}

function build(what: string, variant: Variant, features: string | null): boolean {
  const site = join(dir, 'site')
  rmSync(site, { recursive: true, force: true })
  const corpus = createCorpus({ size: 20 })
  writeDocusaurusSite(corpus, { dir: site, variant })
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    ...(features === null ? {} : { SEKISHO_LIGHT: features }),
  }
  const bin = join(dir, 'node_modules/@docusaurus/core/bin/docusaurus.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'build'], {
    cwd: site,
    env,
    encoding: 'utf8',
  })
  const page =
    status === 0 ? readFileSync(join(site, 'build/docs', findDeepPage(corpus), 'index.html'), 'utf8') : ''
  const isLight = variant !== 'stock' && (features === null || features === 'routes')
  const isRight = page.includes('<article') && page.includes('__sekisho_page') === isLight
  console.log(`${isRight ? '✓' : '✗'} ${what}`)
  const lines = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => /error|cause|cannot|missing|not found/i.test(line))
  if (!isRight) for (const line of lines.slice(0, 12)) console.log(`    ${line.trim().slice(0, 200)}`)
  return isRight
}

function readModule(file: string): string {
  try {
    return readFileSync(join(dirname(join(dir, 'node_modules/@docusaurus/core')), file), 'utf8')
  } catch {
    return ''
  }
}
