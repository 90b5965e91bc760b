import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { findBrowser } from '../support/browser.ts'
import { FIXTURES, OLDER, OVERRIDES, PACKAGES } from './fixtures/index.ts'
import { REAL_SITES } from './real/real-site.ts'
import { printRealTable, type RealOutcome, tryRealSite } from './real/try-real-site.ts'
import { type Outcome, printTable, trySite } from './try-site.ts'

/**
 * Builds one small site for each plugin and option, stock and gated, and compares them in Chromium (decisions/106): `npm run sites [-- NAME
 * … --dir DIR]`. DIR keeps the installation. `-- --real FOLDER [NAME …]` tries third parties' sites in FOLDER.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, real: { type: 'string' } },
})
const run = promisify(execFile)
const dir = resolve(values.dir ?? join(tmpdir(), 'sekisho-sites'))
const pack = createRequire(import.meta.url).resolve('../../packages/sekisho/pack/main.ts')

if (values.real === undefined) await tryFixtures()
else await tryRealSites(resolve(values.real))

async function openBrowser() {
  const { executablePath, args } = await findBrowser()
  return chromium.launch({ executablePath, args })
}

/** Of the sites that are known, those whose checkout is there. */
async function tryRealSites(folder: string): Promise<void> {
  const present = await readdir(folder)
  const chosen = REAL_SITES.filter(
    ({ name }) => present.includes(name) && (positionals.length === 0 || positionals.includes(name)),
  )
  const tarball = chosen.some(({ install: command }) => command !== undefined) ? await packPackage() : '' // folders need none
  const browser = await openBrowser()
  const outcomes: RealOutcome[] = []
  for (const site of chosen) {
    const outcome = await tryRealSite(site, join(folder, site.name), tarball, browser)
    outcomes.push(outcome)
    console.log(site.name)
    for (const problem of outcome.problems) console.log(`    ${problem.replaceAll('\n', '\n    ')}`)
  }
  await browser.close()
  printRealTable(outcomes)
  const isFine = ({ edits, isClosed, equal, compared }: RealOutcome) =>
    edits === 0 && isClosed === true && equal === compared
  process.exitCode = outcomes.every(isFine) ? 0 : 1
}

async function tryFixtures(): Promise<void> {
  const chosen = FIXTURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  if (chosen.length === 0)
    throw new Error(`none of the sites is called so: ${FIXTURES.map(({ name }) => name).join(', ')}`)
  const tarball = await packPackage()
  const browser = await openBrowser()
  const outcomes: Outcome[] = []
  for (const [docusaurus, fixtures] of Map.groupBy(chosen, (fixture) => fixture.docusaurus)) {
    const folder = docusaurus === undefined ? dir : join(dir, `docusaurus-${docusaurus}`)
    await install(folder, tarball, docusaurus === undefined ? PACKAGES : OLDER[docusaurus])
    for (const fixture of fixtures) {
      const outcome = await trySite(fixture, join(folder, 'sites', fixture.name), browser)
      outcomes.push(outcome)
      console.log(`${outcome.problems.length === 0 ? '✔' : '✖'} ${fixture.name}`)
      for (const problem of outcome.problems) console.log(`    ${problem.replaceAll('\n', '\n    ')}`)
    }
  }
  await browser.close()
  printTable(outcomes)
  process.exitCode = outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0
}

/** Installs the needs of all sites in a folder: every plugin for the newest Docusaurus, and the package of `npm run pack`. */
async function install(
  folder: string,
  tarball: string,
  packages: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dependencies = { ...packages, sekisho: `file:${tarball}` }
  const overrides = 'sharp' in packages ? OVERRIDES : {}
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'sekisho-sites', private: true, dependencies, overrides }, null, 2),
  )
  // npm takes a file of the same name and version for the one it has: the package is taken out first.
  await rm(join(folder, 'node_modules', 'sekisho'), { recursive: true, force: true })
  await rm(join(folder, 'package-lock.json'), { force: true })
  await rm(join(folder, 'node_modules', '.package-lock.json'), { force: true })
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  console.log(`Installing ${Object.keys(dependencies).length} packages and what they need in ${folder}`)
  // Plugins name the React and the Docusaurus they were made for; which of them work with this one is what is tried.
  await run('npm', ['install', '--legacy-peer-deps', ...quiet], { cwd: folder, maxBuffer: 1e8 })
}

/** The package as `npm run pack` makes it; resolves to its file. */
async function packPackage(): Promise<string> {
  const folder = join(dir, 'tarball')
  await mkdir(dir, { recursive: true })
  await rm(folder, { recursive: true, force: true })
  await run(process.execPath, [pack, folder])
  return join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '')
}
