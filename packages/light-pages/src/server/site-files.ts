import { cacheDir, dir } from '@generated/sekisho-flat/server'
import type { ServerCode } from '../bundler/hash-code.ts'
import type { ServerPage, ServerSite } from '../bundler/server-site.ts'
import { type FirstPage, type PageRecord, pathKey, type SidebarItem } from '../wire.ts'

// Not imported: a page whose code imports the file system reads what nobody can foresee, and is told by its imports.
const { readFileSync } = process.getBuiltinModule('node:fs')

/** What the client build left for prerendering. */
interface ClientPages {
  index: string
  publicPath: string
  records: { [path: string]: { record: PageRecord; scripts: string[] } }
}

/** What a prerendered page carries, and the scripts it asks for at once. */
export interface PageStart {
  first: FirstPage
  scripts: string[]
}

/** Where pages are kept from one build to the next, or null when the site is built without a cache. */
export const keptPages: string | null = cacheDir

const readSite = readOnce('site.json', (site: ServerSite) => {
  const byKey = new Map<string, ServerPage>()
  for (const page of site.pages) if (!byKey.has(pathKey(page.path))) byKey.set(pathKey(page.path), page)
  return { byKey, nodes: new Map(Object.entries(site.nodes)) as ReadonlyMap<string, SidebarItem[]> }
})
const readClientPages = readOnce('client-pages.json', (pages: ClientPages) => pages)

/** Hashes of the server bundle. */
export const readServerCode: () => ServerCode = readOnce('server-code.json', (code: ServerCode) => code)

/** The page at an address. */
export function findPage(pathname: string): ServerPage | undefined {
  return readSite().byKey.get(pathKey(pathname))
}

/** Every sidebar node of the site. */
export function readNodes(): ReadonlyMap<string, SidebarItem[]> {
  return readSite().nodes
}

/** What the page starts with in the browser. */
export function startPage(page: ServerPage | undefined): PageStart {
  const { index, publicPath, records } = readClientPages()
  const built = page === undefined ? undefined : records[page.path]
  const refs = page?.sidebar?.refs ?? []
  const nodes = Object.fromEntries(refs.map((ref) => [ref, readNodes().get(ref) ?? []]))
  const scripts = (built?.scripts ?? []).map((script) => publicPath + script)
  return { first: { index, page: built?.record ?? null, nodes }, scripts }
}

/** Read when the first page is rendered: only then have both builds finished. */
function readOnce<T, U>(file: string, prepare: (content: T) => U): () => U {
  let known: U | null = null
  return () => {
    known ??= prepare(JSON.parse(readFileSync(`${dir}/${file}`, 'utf8')) as T)
    return known
  }
}
