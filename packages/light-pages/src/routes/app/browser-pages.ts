import { FIRST_PAGE_ID, type FirstPage, MISSING, type PageRecord, pathKey, TABLE_DIR } from '../model.ts'
import { isBuildOutdated, waitUntilReachable } from './connection.ts'
import { EMPTY, loadLayouts, loadModules, type OpenPage, type PageStart } from './open-page.ts'
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

/** The page that was shown last; moving within it, as to a heading, opens nothing. */
let shownKey = firstKey

/**
 * Loads all that rendering the page at an address needs. Rejects when that fails, and tries again the next time; the
 * router then reloads the document, as it does for every page of an outdated build.
 */
export function openPage(pathname: string): Promise<OpenPage> {
  const key = pathKey(pathname)
  const isOpening = isAt(key) && key !== shownKey
  const request = isOpening && isBuildOutdated() ? reloadFor(key) : (opening.get(key) ?? loadInTime(key))
  opening.set(key, request)
  request.then(
    () => {
      if (isAt(key)) shownKey = key
    },
    () => opening.delete(key),
  )
  return request
}

const isAt = (key: string): boolean => pathKey(window.location.pathname) === key
/** Asked whether the server can be reached: a file that every reader may load. */
const PROBE = `${__webpack_require__.p}${TABLE_DIR}/${first.index}`

/** A page that a reader waits for is loaded when the server can be reached, and never ends on the browser's own error page. */
async function loadInTime(key: string): Promise<OpenPage> {
  try {
    return await load(key)
  } catch (error) {
    if (!isAt(key)) throw error
    await reach(key)
    return load(key)
  }
}

async function reloadFor(key: string): Promise<never> {
  await reach(key)
  throw new Error('Outdated build')
}

/** Does not return when the reader has gone elsewhere meanwhile: a rejection would reload the page they are on. */
async function reach(key: string): Promise<void> {
  if (await waitUntilReachable(PROBE, () => isAt(key))) return
  opening.delete(key)
  await new Promise(() => {})
}

async function load(key: string): Promise<OpenPage> {
  // The address the reader arrived at shows what the server sent, whatever its form (`…/index.html`, a missing page).
  const isFirst = key === firstKey || key === pathKey(first.page?.path ?? firstKey)
  const record = isFirst ? first.page : ((await findRecord(key)) ?? (await findRecord(MISSING)))
  const page = record === null ? EMPTY : await loadPage(record)
  opened.set(key, page)
  // The router drops `index.html` from the requested address.
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
