import prefetchFile from '@docusaurus/core/lib/client/prefetch.js'
import { probe } from '@generated/light-pages/layouts'
import { FIRST_PAGE_ID, type FirstPage, MISSING, type PageRecord, pathKey } from '../model.ts'
import { isBuildOutdated, isSlow, waitUntilReachable, whenIdle } from './loading/connection.ts'
import { createRouteTable, type FindRecord } from './loading/route-table.ts'
import { EMPTY, loadLayouts, loadModules, type OpenPage, type PageStart } from './open-page.ts'
import { besideOpener } from './opened-from.ts'
import { addNodes, loadNode, readSidebar } from './sidebar-store.ts'

export { readSidebar }

// The text stays as it is, so that React finds the script as it left it.
const start: PageStart = { text: document.getElementById(FIRST_PAGE_ID)?.textContent ?? '', scripts: [] }
if (start.text === '') throw new Error('This page was not prerendered by @sekisho/light-pages')
const first: FirstPage = JSON.parse(start.text)
const firstPath = window.location.pathname
const firstKey = pathKey(firstPath)
/** False once another spelling of a missing address is asked for: the server knows one of each, so `/docs/a` may exist where `/Docs/a` does not. */
let isFirstKept = true
const findRecord = createRouteTable(first.index, first.page)
addNodes(first.nodes)

/** Start data of the document; every later page is shown in the same document. */
export const readStart = (): PageStart => start

const opened = new Map<string, OpenPage>()
const opening = new Map<string, Promise<OpenPage>>()

/** The page at an address if it can be rendered at once. */
export function peekPage(pathname: string): OpenPage | null {
  return opened.get(pathKey(pathname)) ?? null
}

/** The page that was shown last, with its address; moving within it, as to a heading, opens nothing. */
let shown: { key: string; href: string; page: OpenPage | null } = {
  key: firstKey,
  href: window.location.href,
  page: null,
}

/**
 * Loads all that rendering the page at an address needs. Rejects when that fails, and tries again the next time; the
 * router then reloads the document, as it does for every page of an outdated build.
 */
export function openPage(pathname: string): Promise<OpenPage> {
  const key = pathKey(pathname)
  const isMissing = key === firstKey && first.page?.path === MISSING
  if (isFirstKept && isMissing && isAt(key) && window.location.pathname !== firstPath) {
    isFirstKept = false
    opened.delete(key)
    opening.delete(key)
  }
  const isOpening = isAt(key) && key !== shown.key
  const request = isOpening && isBuildOutdated() ? reloadFor(key) : (opening.get(key) ?? loadInTime(key))
  opening.set(key, request)
  request.catch(() => opening.delete(key))
  return request.then((page) => (isAt(key) && shown.page !== null ? show(key, page) : page))
}

async function show(key: string, page: OpenPage): Promise<OpenPage> {
  const beside = await besideOpener(key, page, shown.page?.record?.sidebar?.name)
  keep(key, beside)
  if (isAt(key)) shown = { key, href: window.location.href, page: beside }
  return beside
}

/** After hydration, which shows what the server sent: the page as its reader had it before a reload. Resolves to whether that differs. */
export async function restoreSidebar(): Promise<boolean> {
  const page = opened.get(firstKey) ?? null
  return page !== null && (await show(firstKey, page)) !== page
}

const isAt = (key: string): boolean => pathKey(window.location.pathname) === key
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

/**
 * While the server cannot be reached, the address is that of the page that is shown. Does not return when the reader has gone
 * elsewhere meanwhile: a rejection would reload the page they are on.
 */
async function reach(key: string): Promise<void> {
  const { href } = window.location
  const entry = window.history.state
  const isWanted = (): boolean => window.history.state?.key === entry?.key
  window.history.replaceState(entry, '', shown.href)
  const isReachable = await waitUntilReachable(probe, isWanted)
  if (isWanted()) window.history.replaceState(entry, '', href)
  if (isReachable && isAt(key)) return
  opening.delete(key)
  await new Promise(() => {})
}

async function load(key: string): Promise<OpenPage> {
  // The address the reader arrived at shows what the server sent, whatever its form (`…/index.html`, a missing page).
  const isFirst = key === firstKey ? isFirstKept : key === pathKey(first.page?.path ?? firstKey)
  const record = isFirst ? first.page : ((await findRecord(key)) ?? (await findRecord(MISSING)))
  const page = record === null ? EMPTY : await loadPage(record)
  keep(key, page)
  return page
}

function keep(key: string, page: OpenPage): void {
  opened.set(key, page)
  // The router drops `index.html` from the requested address.
  if (page.record !== null) opened.set(pathKey(page.record.path), page)
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

/**
 * Takes over the half of `window.docusaurus` that looks a page up in the whole route table: of a link in sight the page's
 * scripts are fetched when the browser is idle, but not run.
 */
function installPrefetch(findRecord: FindRecord): void {
  const asked = new Set<string>()
  const prefetch = (path: string): false | Promise<unknown> => {
    const key = pathKey(new URL(path, window.location.href).pathname)
    if (isSlow() || asked.has(key)) return false
    asked.add(key)
    return whenIdle()
      .then(() => findRecord(key))
      .then((record) =>
        Promise.all(
          Object.values(record?.chunks ?? {}).map((file) => prefetchFile(__webpack_require__.p + file)),
        ),
      )
      .catch(() => [])
  }
  // Docusaurus installs its own in the task that runs this module.
  queueMicrotask(() => {
    window.docusaurus = { ...window.docusaurus, prefetch } as typeof window.docusaurus
  })
}
