import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadContext } from '@docusaurus/types'
import type { Bundle } from '../bundle.ts'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'
import { hashServerCode, readEnvironment } from '../reuse/server-code.ts'
import { mapSlots, readGenerated } from './generated.ts'
import { trimGlobalData, trimMessages } from './global-data.ts'
import {
  type BuiltPage,
  type BuiltSite,
  type Json,
  MISSING,
  type ModuleSlots,
  type ModuleTree,
} from './model.ts'
import { type Layout, makePlan, type Page, type Plan, type PlanSources } from './plan.ts'
import { indexFile, writeNodes, writeTable } from './table.ts'

/** One site being built: what was read, and where the generated modules are. */
export interface LightSite {
  /** Folder of our generated modules, `@generated/light-pages`. */
  dir: string
  plan: Plan
  /** Folder of what is kept from build to build, beside the bundler's own cache and with its lifetime; null where nothing is. */
  cacheDir: string | null
  /** The page for unknown addresses is the theme's, in the layout of the documents. */
  isMissingBesideSidebar: boolean
  /** Called once the client is built, before any page is rendered. */
  onClientBuilt(bundle: Bundle): void
  /** Called once the server bundle is built, before any page is rendered. */
  onServerBuilt(bundle: Bundle): void
}

/** Chunk of the layouts and of the component of the commonest page inside them: documentation pages need all of it. */
const SHELL = 'shell'

/**
 * Build-only fields of the site's config. Docusaurus otherwise sends them with every page, options of plugins and folders of the build
 * machine among them.
 */
const BUILD_ONLY = { plugins: [], themes: [], presets: [], staticDirectories: [] }

/** Reads the generated site, takes it apart and writes the modules that the two bundles start from. */
export function createLightSite(
  { generatedFilesDir, siteDir, siteConfig, baseUrl, i18n }: LoadContext,
  {
    probe,
    ...theme
  }: Pick<PlanSources, 'isSidebarWhole' | 'isMissingBesideSidebar'> & { readonly probe: string },
): LightSite {
  const toFile = (request: string): string =>
    request
      .replace(/^@generated/, generatedFilesDir)
      .replace(/^~(\w+)/, join(generatedFilesDir, 'docusaurus-plugin-content-$1'))
      .replace(/^@site/, siteDir)
      .replace(/\?.*$/, '')
  const generated = readGenerated(generatedFilesDir)
  const plan = makePlan(generated, {
    baseUrl,
    ...theme,
    readJson: (request) => JSON.parse(readFileSync(toFile(request), 'utf8')),
    readContent: (request) => readText(toFile(request)),
  })
  const dir = join(generatedFilesDir, 'light-pages')
  const write = (name: string, text: string) => writeIfChanged(join(dir, name), text)
  mkdirSync(dir, { recursive: true })
  const shell = listShell(plan)
  write('layouts.js', writeLayouts(plan, probe))
  write('modules.js', writeModules(plan, shell))
  const cacheDir = process.env.DOCUSAURUS_NO_PERSISTENT_CACHE ? null : join(siteDir, 'node_modules/.cache')
  const keptPagesDir = cacheDir === null ? null : join(cacheDir, 'sekisho-pages', i18n.currentLocale)
  write(
    'server.js',
    `export const dir = ${JSON.stringify(dir)}\nexport const keptPagesDir = ${JSON.stringify(keptPagesDir)}\n`,
  )
  const globalData = trimGlobalData(generated.globalData, siteConfig.themeConfig as Json)
  write('globalData.json', JSON.stringify(globalData))
  const messages = JSON.parse(readText(join(generatedFilesDir, 'codeTranslations.json')) ?? '{}')
  write('messages.json', JSON.stringify(trimMessages(messages, generated.globalData)))
  write('site-config.js', `export default ${JSON.stringify({ ...siteConfig, ...BUILD_ONLY })}\n`)
  const onClientBuilt = (bundle: Bundle): void => {
    const pages = plan.pages.map((page) => createBuiltPage(page, bundle))
    writeNodes(bundle.outDir, plan.nodes)
    const records = pages.map(({ record }) => record)
    const index = writeTable(bundle.outDir, records, indexFile(bundle.chunks.get('main')?.file ?? ''))
    const site: BuiltSite = { index, publicPath: baseUrl, pages, nodes: Object.fromEntries(plan.nodes) }
    writeFileSync(join(dir, 'site.json'), JSON.stringify(site))
  }
  const onServerBuilt = (bundle: Bundle): void => {
    const pages = plan.pages.map(({ path, modules }) => ({ path, requests: listRequests(modules) }))
    write('server-code.json', JSON.stringify(hashServerCode(bundle, pages, readEnvironment())))
  }
  return {
    dir,
    plan,
    cacheDir,
    isMissingBesideSidebar: plan.pages.some(({ path, sidebar }) => path === MISSING && sidebar !== undefined),
    onClientBuilt,
    onServerBuilt,
  }
}

/** Requests of the modules in the shell. */
function listShell({ layouts, pages }: Plan): ReadonlySet<string> {
  const uses = new Map<string, number>()
  for (const { layouts: around, modules } of pages) {
    const request = String(modules.__comp)
    if (around.length > 0) uses.set(request, (uses.get(request) ?? 0) + 1)
  }
  const [commonest] = [...uses].sort((a, b) => b[1] - a[1])
  return new Set(
    [...layouts.flatMap(({ modules }) => listRequests(modules)), ...(commonest?.slice(0, 1) ?? [])].map(
      String,
    ),
  )
}

/** Source of the module with what stands around pages; part of both bundles. */
function writeLayouts({ layouts, home }: Plan, probe: string): string {
  const writeTree = (tree: ModuleTree): string => {
    if (typeof tree === 'string') return writeImport(tree, true)
    if (Array.isArray(tree)) return `[${tree.map(writeTree).join()}]`
    return `{ ${Object.entries(tree).map(([slot, child]) => `${JSON.stringify(slot)}: ${writeTree(child)}`)} }`
  }
  const lines = layouts.map(
    ({ modules, ...others }: Layout) => `  { ...${JSON.stringify(others)}, modules: ${writeTree(modules)} },`,
  )
  return `export const home = ${JSON.stringify(home)}\nexport const probe = ${JSON.stringify(probe)}\nexport const layouts = [\n${lines.join('\n')}\n]\n`
}

/**
 * Source of the module with one `import()` for each module of a page, by which the bundler makes their chunks. Browsers
 * never see it; the server loads pages through it.
 */
function writeModules({ pages }: Plan, shell: ReadonlySet<string>): string {
  const requests = new Set(pages.flatMap(({ modules }) => listRequests(modules)))
  const lines = [...requests].map(
    (request) => `  ${JSON.stringify(request)}: ${writeImport(request, shell.has(request))},`,
  )
  return `export default {\n${lines.join('\n')}\n}\n`
}

function writeImport(request: string, isShell: boolean): string {
  return `() => import(${isShell ? `/* webpackChunkName: "${SHELL}" */ ` : ''}${JSON.stringify(request)})`
}

/** Requests of a page's modules, each once. */
function listRequests(modules: ModuleSlots): string[] {
  const requests = new Set<string>()
  mapSlots(modules, (request) => requests.add(request))
  return [...requests]
}

function createBuiltPage({ modules, ...info }: Page, { placements, chunks }: Bundle): BuiltPage {
  const needed: { [id: string]: string } = {}
  const place = (request: string): string => {
    const placement = placements.get(request)
    if (placement === undefined) throw new DocusaurusChangedError(`the bundle has no module for ${request}`)
    for (const id of placement.chunks) {
      // A chunk of nothing but styles has no script: its style sheet is every page's.
      const file = chunks.get(id)?.file
      if (file !== undefined) needed[id] = file
    }
    return placement.module
  }
  const record = { ...info, modules: mapSlots(modules, place), chunks: needed }
  const shell = info.layouts.length > 0 ? chunks.get(SHELL)?.file : undefined
  const scripts = new Set([...(shell === undefined ? [] : [shell]), ...Object.values(needed)])
  return { record, modules, scripts: [...scripts] }
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** An unchanged file keeps its date, so that the bundler's cache stays valid. */
function writeIfChanged(file: string, text: string): void {
  if (readText(file) !== text) writeFileSync(file, text)
}
