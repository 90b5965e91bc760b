import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LoadContext } from '@docusaurus/types'
import { writePages, writeServerShared, writeShared } from './bundler/client-graph.ts'
import type { ClientBuild } from './bundler/flat-bundler-plugin.ts'
import type { ServerCode } from './bundler/hash-code.ts'
import { makeRecords } from './bundler/make-records.ts'
import type { Bundler } from './bundler/minimizer.ts'
import { createServerSite } from './bundler/server-site.ts'
import { writeNodes, writeTable } from './bundler/write-table.ts'
import { createCodeConfigurator, type PrismConfig } from './code/configure-code.ts'
import { trimGlobalData } from './plan/global-data.ts'
import { makePlan, type Plan } from './plan/make-plan.ts'
import { type ModuleNames, nameModules } from './plan/name-modules.ts'
import { findNavbarTypes, keepUsedNavbarTypes } from './plan/navbar-types.ts'
import { readGenerated } from './plan/read-generated.ts'
import type { Json } from './wire.ts'

/** One site being built: what was read, and where the generated modules are. */
export interface FlatSite {
  /** Folder of our generated modules, `@generated/sekisho-flat`. */
  dir: string
  siteDir: string
  pageCount: number
  /** Makes the bundler's MDX rules highlight code. */
  configureCode(rules: readonly unknown[]): void
  /** Called once the client is built, before any page is rendered. */
  onClientBuilt(build: ClientBuild): void
  /** Called once the server bundle is built, before any page is rendered. */
  onServerBuilt(code: ServerCode): void
}

/** Reads the generated site, takes it apart and writes the modules that the two bundles start from. */
export function createFlatSite(
  { generatedFilesDir, siteDir, siteConfig, baseUrl, i18n }: LoadContext,
  { experiments }: Pick<Bundler, 'experiments'>,
): FlatSite {
  const generated = readGenerated(generatedFilesDir)
  const plan = makePlan(generated, {
    baseUrl,
    readProps: (request) => JSON.parse(readFileSync(resolveGenerated(request, generatedFilesDir), 'utf8')),
    readContent: (request) => readText(request.replace(/^@site/, siteDir).replace(/\?.*$/, '')),
  })
  const names = nameModules(plan)
  const dir = join(generatedFilesDir, 'sekisho-flat')
  const write = (name: string, text: string) => writeIfChanged(join(dir, name), text)
  write('shared.js', writeShared(plan, names))
  write('pages.js', writePages(plan, names))
  write('server-shared.js', writeServerShared(plan, names))
  write('server.js', writeServer(dir, join(siteDir, 'node_modules/.cache/sekisho-pages', i18n.currentLocale)))
  write('site.json', JSON.stringify(createServerSite(plan, names)))
  write('nothing.json', '{}')
  write(
    'globalData.json',
    JSON.stringify(trimGlobalData(generated.globalData, siteConfig.themeConfig as Json)),
  )
  const { navbar } = siteConfig.themeConfig as { navbar?: { items?: [] } }
  const navbarTypes = readFileSync(findNavbarTypes(siteDir), 'utf8')
  write('navbar-types.js', keepUsedNavbarTypes(navbarTypes, navbar?.items ?? []))
  plan.layouts.forEach(({ version }, index) => {
    if (version !== null)
      write(`version-${index}.json`, JSON.stringify({ version: { ...version, docsSidebars: {}, docs: {} } }))
  })
  const { prism = {} } = siteConfig.themeConfig as { prism?: PrismConfig }
  const configureCode = createCodeConfigurator(siteDir, prism, experiments.swc)
  return {
    dir,
    siteDir,
    pageCount: plan.pages.length,
    configureCode,
    onClientBuilt: (build) => writeClientPages({ plan, names, dir, baseUrl }, build),
    onServerBuilt: (code) => writeFileSync(join(dir, 'server-code.json'), JSON.stringify(code)),
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
    build.files.get('main') ?? '',
  )
  const records = Object.fromEntries(pages.map((page) => [page.record.path, page]))
  writeFileSync(join(dir, 'client-pages.json'), JSON.stringify({ index, publicPath: baseUrl, records }))
}

/** Where the server bundle finds everything else. Pages are kept beside the bundler's own cache, and like it. */
function writeServer(dir: string, pagesDir: string): string {
  const cacheDir = process.env.DOCUSAURUS_NO_PERSISTENT_CACHE ? null : pagesDir
  return `export const dir = ${JSON.stringify(dir)}\nexport const cacheDir = ${JSON.stringify(cacheDir)}\n`
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
