import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LoadContext } from '@docusaurus/types'
import { writePages, writeShared } from './bundler/client-graph.ts'
import type { ClientBuild } from './bundler/flat-bundler-plugin.ts'
import { makeRecords } from './bundler/make-records.ts'
import type { Bundler } from './bundler/minimizer.ts'
import { writeNodes, writeTable } from './bundler/write-table.ts'
import { createCodeConfigurator, type PrismConfig } from './code/configure-code.ts'
import { trimGlobalData } from './plan/global-data.ts'
import { makePlan, type Plan } from './plan/make-plan.ts'
import { type ModuleNames, nameModules } from './plan/name-modules.ts'
import { readGenerated } from './plan/read-generated.ts'
import type { Json } from './wire.ts'

/** One site being built: what was read, and where the generated modules are. */
export interface FlatSite {
  /** Folder of our generated modules, `@generated/sekisho-flat`. */
  dir: string
  siteDir: string
  /** Makes the bundler's MDX rules highlight code. */
  configureCode(rules: readonly unknown[]): void
  /** Called once the client is built, before any page is rendered. */
  onClientBuilt(build: ClientBuild): void
}

/** Reads the generated site, takes it apart and writes the modules that the two bundles start from. */
export function createFlatSite(
  { generatedFilesDir, siteDir, siteConfig, baseUrl }: LoadContext,
  { experiments }: Pick<Bundler, 'experiments'>,
): FlatSite {
  const generated = readGenerated(generatedFilesDir)
  const plan = makePlan(generated, {
    readProps: (request) => JSON.parse(readFileSync(resolveGenerated(request, generatedFilesDir), 'utf8')),
    readContent: (request) => readText(request.replace(/^@site/, siteDir).replace(/\?.*$/, '')),
  })
  const names = nameModules(plan)
  const dir = join(generatedFilesDir, 'sekisho-flat')
  const write = (name: string, text: string) => writeIfChanged(join(dir, name), text)
  write('shared.js', writeShared(plan, names))
  write('pages.js', writePages(plan, names))
  write('site.js', writeSite(plan, dir))
  write('nothing.json', '{}')
  write(
    'globalData.json',
    JSON.stringify(trimGlobalData(generated.globalData, siteConfig.themeConfig as Json)),
  )
  plan.layouts.forEach(({ version }, index) => {
    if (version !== null)
      write(`version-${index}.json`, JSON.stringify({ version: { ...version, docsSidebars: {}, docs: {} } }))
  })
  const { prism = {} } = siteConfig.themeConfig as { prism?: PrismConfig }
  const configureCode = createCodeConfigurator(siteDir, prism, experiments.swc)
  return {
    dir,
    siteDir,
    configureCode,
    onClientBuilt: (build) => writeClientPages({ plan, names, dir, baseUrl }, build),
  }
}

interface Planned {
  plan: Plan
  names: ModuleNames
  dir: string
  baseUrl: string
}

function writeClientPages({ plan, names, dir, baseUrl }: Planned, build: ClientBuild): void {
  const pages = makeRecords(plan, names, build)
  writeNodes(build.outDir, plan.nodes)
  const index = writeTable(
    build.outDir,
    pages.map(({ record }) => record),
  )
  const records = Object.fromEntries(pages.map((page) => [page.record.path, page]))
  writeFileSync(join(dir, 'client-pages.json'), JSON.stringify({ index, publicPath: baseUrl, records }))
}

/** JSON strings rather than object literals: engines parse them several times faster. */
function writeSite(plan: Plan, dir: string): string {
  const pages = plan.pages.map(({ modules: _modules, ...page }) => page)
  const nodes = Object.fromEntries(plan.nodes)
  const parse = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
  return [
    `export const dir = ${JSON.stringify(dir)}`,
    `export const pages = ${parse(pages)}`,
    `export const nodes = ${parse(nodes)}`,
    `export const layoutKeys = ${JSON.stringify(plan.layouts.map(({ key }) => key))}`,
    '',
  ].join('\n')
}

function resolveGenerated(request: string, generatedFilesDir: string): string {
  return request
    .replace(/^@generated/, generatedFilesDir)
    .replace(/^~docs/, join(generatedFilesDir, 'docusaurus-plugin-content-docs'))
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** An unchanged file keeps its date, so that the bundler's cache stays valid. */
function writeIfChanged(file: string, text: string): void {
  if (readText(file) === text) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
