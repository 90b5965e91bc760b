/** Anything JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/**
 * The modules of a route, in the shape Docusaurus gives them, each leaf being either `~NAME` (one of the
 * few modules every page can name) or `MODULE:CHUNK,CHUNK` (a module that arrives with those chunks).
 */
export type ModuleTree = string | ModuleTree[] | { [key: string]: ModuleTree }

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

/** A category whose entries were left out: `ref` names the node that holds them. */
export interface ClosedCategory extends SidebarItem {
  type: 'category'
  ref: string
  count: number
  /** The first link inside, for categories that have none of their own. */
  first?: string
  /** True when nothing inside is shown unless it is the active page. */
  hidden?: true
}

/** What the docs plugin's global data says about one document. */
export interface GlobalDoc {
  plugin: string
  version: string
  doc: { id: string; path: string; sidebar?: string; unlisted?: boolean }
}

/** What `DocCard` shows about a document. */
export interface DocCard {
  id: string
  title: string
  description?: string
  sidebar?: string
}

/** Where a page's sidebar is: the nodes to open, outermost first. */
export interface SidebarSlice {
  name: string
  refs: string[]
}

/** All that is known about a page apart from how its code is loaded. */
export interface PageInfo {
  path: string
  /** Indices of the layouts around the page, outermost first. */
  layouts: number[]
  attributes: { [key: string]: Json }
  sidebar?: SidebarSlice
  docs?: GlobalDoc[]
  cards?: { [id: string]: DocCard }
}

/** A page as the route table describes it. */
export interface PageRecord extends PageInfo {
  modules: ModuleTree
  /** File of each chunk that `modules` names, relative to the public path. */
  files: { [chunk: string]: string }
}

/** What a prerendered page carries: its own record and the sidebar it shows. `page` is null on the 404 page. */
export interface FirstPage {
  index: string
  page: PageRecord | null
  nodes: { [ref: string]: SidebarItem[] }
}

/** First address of each block of the table, in order, with the block's file name. */
export type TableIndex = [first: string, file: string][]

/** Folder of the route table and sidebar nodes below the public path. */
export const TABLE_DIR = 'assets/table'

/** Id of the script element that carries the {@link FirstPage}. */
export const FIRST_PAGE_ID = '__sekisho_page'

/** The spelling under which a page is looked up: the router ignores case, encoding and a trailing slash too. */
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
