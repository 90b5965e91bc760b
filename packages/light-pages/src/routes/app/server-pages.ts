import { dir } from '@generated/light-pages/server'
import {
  type BuiltPage,
  type BuiltSite,
  type FirstPage,
  MISSING,
  type PageInfo,
  pathKey,
  type SidebarItem,
  serializeFirstPage,
} from '../model.ts'
import { EMPTY, loadLayouts, loadModules, type OpenPage, type PageStart } from './open-page.ts'
import { openSidebar } from './open-sidebar.ts'

// Not imported: a page whose code imports the file system reads what nobody can foresee, and is told by its imports.
// By way of `globalThis`, because sites that need it in the browser have a `process` of their own in every module.
const { readFileSync } = globalThis.process.getBuiltinModule('node:fs')

interface Site extends BuiltSite {
  byKey: ReadonlyMap<string, BuiltPage>
  slices: ReadonlyMap<string, SidebarItem[]>
}

let site: Site | null = null

/** Read when the first page is rendered: only then has the client been built. */
function readSite(): Site {
  if (site !== null) return site
  const built: BuiltSite = JSON.parse(readFileSync(`${dir}/site.json`, 'utf8'))
  // Of two pages with one address the first is shown, as a router would.
  const byKey = new Map(built.pages.toReversed().map((page) => [pathKey(page.record.path), page]))
  site = { ...built, byKey, slices: new Map(Object.entries(built.nodes)) }
  return site
}

const opened = new Map<string, OpenPage>()

/** The page at an address once it has been loaded; of the 404 page, whatever address the router makes of it. */
export function peekPage(pathname: string): OpenPage | null {
  return opened.get(addressOf(pathname)) ?? null
}

function addressOf(pathname: string): string {
  const key = pathKey(pathname)
  return readSite().byKey.has(key) ? key : MISSING
}

/** Nothing here knows from where a page was opened. */
export const restoreSidebar = async (): Promise<boolean> => false

/** Loads the modules of a page before it is rendered. */
export async function openPage(pathname: string): Promise<OpenPage> {
  const address = addressOf(pathname)
  const page = opened.get(address) ?? (await load(readSite().byKey.get(address)))
  opened.set(address, page)
  return page
}

async function load(page: BuiltPage | undefined): Promise<OpenPage> {
  if (page === undefined) return EMPTY
  // A chunk of its own, which changes with every page, while the code that all pages share stays as it is.
  const { default: list } = await import(
    /* webpackChunkName: "light-pages-modules" */ '@generated/light-pages/modules'
  )
  const modules = await loadModules(page.modules, async (request) => (await list[request]?.()) ?? {})
  return { record: page.record, modules, layouts: await loadLayouts(page.record.layouts) }
}

/** The sidebar with the named slices open, the first of which is its top. */
export function readSidebar(refs: readonly string[], counts?: PageInfo['counts']): SidebarItem[] {
  const { slices } = readSite()
  return openSidebar(slices.get(refs[0] ?? '') ?? [], new Set(refs), {
    nodes: slices,
    ...(counts !== undefined && { counts }),
  })
}

/** Start data of the page in the browser. */
export function readStart(pathname: string): PageStart {
  const { index, publicPath, byKey, slices } = readSite()
  const { record = null, scripts = [] } = byKey.get(addressOf(pathname)) ?? {}
  const refs = record?.sidebar?.refs ?? []
  const first: FirstPage = {
    index,
    page: record,
    nodes: Object.fromEntries(refs.map((ref) => [ref, slices.get(ref) ?? []])),
  }
  return { text: serializeFirstPage(first), scripts: scripts.map((script) => publicPath + script) }
}
