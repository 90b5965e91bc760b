import { layouts } from '@generated/sekisho-flat/shared'
import { FIRST_PAGE_ID, type FirstPage, type ModuleTree, type PageRecord, pathKey } from '../wire.ts'
import { addGlobalDocs } from './global-docs.ts'
import { loadModule, nameFiles } from './load-modules.ts'
import { loadTree } from './load-tree.ts'
import type { LoadedModules } from './route-component.tsx'
import { createRouteTable } from './route-table.ts'
import { addNodes, loadSidebar } from './sidebar-store.ts'

/** A page whose code is here. `record` is null where the site has no page. */
export interface OpenPage {
  record: PageRecord | null
  modules: LoadedModules
  layouts: { [index: number]: LoadedModules }
}

const first = readFirstPage()
const firstKey = pathKey(window.location.pathname)
const table = createRouteTable(first.index, first.page)
const opened = new Map<string, OpenPage>()
const opening = new Map<string, Promise<OpenPage>>()
addNodes(first.nodes)

/** The text of the page's own record, so that React finds the script as it left it. */
export const firstPageText: string = document.getElementById(FIRST_PAGE_ID)?.textContent ?? ''

/** The page at an address if it can be rendered at once. */
export function peekPage(pathname: string): OpenPage | null {
  return opened.get(pathKey(pathname)) ?? null
}

/** Loads all that rendering the page at an address needs. */
export function openPage(pathname: string): Promise<OpenPage> {
  const key = pathKey(pathname)
  const done = opened.get(key)
  if (done !== undefined) return Promise.resolve(done)
  const request = opening.get(key) ?? load(key)
  opening.set(key, request)
  request
    .then(
      (page) => keep(key, page),
      () => {},
    )
    .finally(() => opening.delete(key))
  return request
}

/** A page is kept under its own address as well: the router drops `index.html` from the one that was asked for. */
function keep(key: string, page: OpenPage): void {
  opened.set(key, page)
  if (page.record !== null) opened.set(pathKey(page.record.path), page)
}

/** Scripts of a page, for the browser to fetch when it has nothing better to do. Only learns of the page, runs nothing. */
export async function listScripts(pathname: string): Promise<string[]> {
  const record = await table.find(pathname)
  return Object.values(record?.files ?? {}).map((file) => `${__webpack_require__.p}${file}`)
}

/** Pages that a reader goes back to without loading them again still find their documents. */
const MAX_KEPT_DOCS = 128

async function load(key: string): Promise<OpenPage> {
  const record = isFirst(key) ? first.page : await table.find(key)
  if (record === null) return { record, modules: { __comp: await loadModule('~notFound') }, layouts: {} }
  nameFiles(record.files)
  const [modules, around] = await Promise.all([
    loadTree(record.modules, loadModule),
    Promise.all(record.layouts.map((index) => loadTree(layouts[index]?.modules as ModuleTree, loadModule))),
    record.sidebar === undefined ? null : loadSidebar(record.sidebar),
  ])
  addGlobalDocs(record.docs ?? [], MAX_KEPT_DOCS)
  const byIndex = Object.fromEntries(record.layouts.map((index, at) => [index, around[at]]))
  return { record, modules: modules as LoadedModules, layouts: byIndex as OpenPage['layouts'] }
}

/** The address the reader arrived at shows what the server sent, however it is spelled (`…/index.html`, a missing page). */
function isFirst(key: string): boolean {
  return key === firstKey || key === pathKey(first.page?.path ?? firstKey)
}

function readFirstPage(): FirstPage {
  const script = document.getElementById(FIRST_PAGE_ID)
  if (script === null) throw new Error('This page was not prerendered by @sekisho/docusaurus')
  return JSON.parse(script.textContent ?? '') as FirstPage
}
