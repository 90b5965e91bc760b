import { FIRST_PAGE_ID, type FirstPage, type PageRecord, pathKey } from '../model.ts'
import { loadLayouts, loadModules, NOT_FOUND, type OpenPage, type PageStart } from './open-page.ts'
import { installPrefetch } from './prefetch.ts'
import { createRouteTable } from './route-table.ts'
import { addNodes, loadNode, readSidebar } from './sidebar-store.ts'

export { readSidebar }

// The text stays as it is, so that React finds the script as it left it.
const start: PageStart = { text: document.getElementById(FIRST_PAGE_ID)?.textContent ?? '', scripts: [] }
if (start.text === '') throw new Error('This page was not prerendered by @sekisho/light-pages')
const first: FirstPage = JSON.parse(start.text)
const firstKey = pathKey(window.location.pathname)
const findRecord = createRouteTable(first.index, first.page)
addNodes(first.nodes)

/** What the document started with; every later page is shown in the same document. */
export const readStart = (): PageStart => start

const opened = new Map<string, OpenPage>()
const opening = new Map<string, Promise<OpenPage>>()

/** The page at an address if it can be rendered at once. */
export function peekPage(pathname: string): OpenPage | null {
  return opened.get(pathKey(pathname)) ?? null
}

/** Loads all that rendering the page at an address needs. Rejects when that fails, and tries again the next time. */
export function openPage(pathname: string): Promise<OpenPage> {
  const key = pathKey(pathname)
  const request = opening.get(key) ?? load(key)
  opening.set(key, request)
  request.catch(() => opening.delete(key))
  return request
}

async function load(key: string): Promise<OpenPage> {
  // The address the reader arrived at shows what the server sent, whatever its form (`…/index.html`, a missing page).
  const isFirst = key === firstKey || key === pathKey(first.page?.path ?? firstKey)
  const record = isFirst ? first.page : await findRecord(key)
  const page = record === null ? NOT_FOUND : await loadPage(record)
  opened.set(key, page)
  // The router drops `index.html` from the address that was asked for.
  if (record !== null) opened.set(pathKey(record.path), page)
  return page
}

const files = new Map<string, string>()
const fileOfKnown = __webpack_require__.u
__webpack_require__.u = (chunk) => files.get(String(chunk)) ?? fileOfKnown(chunk)

async function loadPage(record: PageRecord): Promise<OpenPage> {
  const [layouts] = await Promise.all([
    loadLayouts(record.layouts),
    ...(record.sidebar?.refs ?? []).map(loadNode),
    ...Object.entries(record.chunks).map(([id, file]) => {
      files.set(id, file)
      return __webpack_require__.e(id)
    }),
  ])
  const modules = await loadModules(record.modules, async (id) => __webpack_require__(id))
  return { record, modules, layouts }
}

installPrefetch(findRecord)
