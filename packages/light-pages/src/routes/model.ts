/** Anything JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The modules of a route in the shape in which its component receives them; what a leaf is depends on who reads it. */
export type ModuleTree<Leaf = string> = Leaf | ModuleTree<Leaf>[] | ModuleSlots<Leaf>

/** The modules of a route by the prop that receives them; Docusaurus' own slots are `__comp`, `__context` and `__props`. */
export type ModuleSlots<Leaf = string> = { [slot: string]: ModuleTree<Leaf> }

/** A sidebar entry as theme-classic receives it; unknown fields pass through. */
export interface SidebarItem {
  type: string
  href?: string
  label?: string
  docId?: string
  unlisted?: boolean
  linkUnlisted?: boolean
  collapsible?: boolean
  collapsed?: boolean
  items?: SidebarItem[]
  [key: string]: unknown
}

/** Entry of the docs plugin's global data for one document. */
export interface GlobalDoc {
  plugin: string
  version: string
  doc: { id: string; path: string; sidebar?: string; unlisted?: boolean }
}

/** Data that `DocCard` shows about a document. */
export interface DocCard {
  id: string
  title: string
  description?: string
  sidebar?: string
}

/** A page's place in a sidebar that is not its own. */
export interface OtherPlace {
  /** Page data that differs there. */
  info: Pick<PageInfo, 'attributes' | 'docs'> & Required<Pick<PageInfo, 'sidebar'>>
  /** Neighbours in that list. */
  around: { previous: Neighbour | null; next: Neighbour | null }
}

/** An entry as the links at a page's end show it. */
export interface Neighbour {
  title: string
  permalink: string
}

/** All that is known about a page apart from how its code is loaded. */
export interface PageInfo {
  path: string
  /** Indices of the layouts around the page, outermost first. */
  layouts: number[]
  attributes: { [key: string]: Json }
  /** The route context, which `useRouteContext` returns. */
  context?: Json
  /** The page's sidebar and the slices that are open in it, outermost first. */
  sidebar?: { name: string; refs: string[] }
  /** By their names, the other sidebars of its version that list the page: it is shown beside the one it was opened from. */
  otherPlaces?: { [sidebar: string]: OtherPlace }
  /** The page's own document, then the same document in other versions. */
  docs?: GlobalDoc[]
  cards?: { [id: string]: DocCard }
  /** Entries of the closed categories that the page's cards count, by their slices. */
  counts?: { [ref: string]: number }
}

/** A page as the route table describes it to browsers. */
export interface PageRecord extends PageInfo {
  /** Leaves are the bundler's module ids. */
  modules: ModuleSlots
  /** Chunks that hold those modules, with their files relative to the public path. */
  chunks: { [id: string]: string }
}

/** Content of a prerendered page: its own record and the sidebar it shows. On the 404 page `page` is that of {@link MISSING}. */
export interface FirstPage {
  /** File of the route table's index. */
  index: string
  page: PageRecord | null
  nodes: { [ref: string]: SidebarItem[] }
}

/** A page as rendering finds it. */
export interface BuiltPage {
  record: PageRecord
  /** As the record's, with requests as leaves. */
  modules: ModuleSlots
  /** Scripts that the page asks for at once, so that none has to name another. */
  scripts: string[]
}

/** Site data read while rendering: outside the server bundle, so that edits leave the bundle unchanged. */
export interface BuiltSite {
  index: string
  publicPath: string
  pages: BuiltPage[]
  nodes: { [ref: string]: SidebarItem[] }
}

/** Address of the page shown for unknown addresses; it cannot be requested. */
export const MISSING = '*'

/** The context of a route that no plugin made, as Docusaurus writes it. */
export const NO_PLUGIN = { plugin: { name: 'native', id: 'default' } }

/** First address of each block of the table, in order, with the block's file name. */
export type TableIndex = [first: string, file: string][]

/** Folder of the route table and sidebar slices below the public path. */
export const TABLE_DIR = 'assets/table'

/** File of a sidebar slice. Its name outlives its content, so it must not be cached: see `indexFile`. */
export const nodeFile = (ref: string): string => `node.${ref}.latest.json`

/** Id of the script element that carries the {@link FirstPage}. */
export const FIRST_PAGE_ID = '__sekisho_page'

/** A {@link FirstPage} as JSON in which no tag can begin. */
export const serializeFirstPage = (first: FirstPage): string =>
  JSON.stringify(first).replaceAll('<', '\\u003c')

/** On what the build moved: the styles of the first paint, where the link to a sheet was, and the link, at the end of the body. */
export const MOVED_STYLES = 'data-moved'

/**
 * Below it are the pages of plugin-debug, which a site may build as well and no release holds. One of them names every module of
 * the site once more, by which half of the other pages bring what few of them need.
 */
export const DEBUG_PAGES = '__docusaurus/'

/** The key under which a page is looked up: the router ignores case, encoding and a trailing slash too. */
export function pathKey(pathname: string): string {
  const decoded = decodeOrSame(pathname).toLowerCase()
  return decoded.length > 1 ? decoded.replace(/\/+$/, '') || '/' : decoded
}

function decodeOrSame(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
