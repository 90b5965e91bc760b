import { readFileSync } from 'node:fs'
import ComponentCreator from '@docusaurus/ComponentCreator'
import { useLocation } from '@docusaurus/router'
import { dir, layoutKeys, nodes, pages } from '@generated/sekisho-flat/site'
import type { ComponentType, ReactNode } from 'react'
import { preinit } from 'react-dom'
import {
  FIRST_PAGE_ID,
  type FirstPage,
  type PageInfo,
  type PageRecord,
  pathKey,
  type SidebarItem,
} from '../wire.ts'
import { addGlobalDocs } from './global-docs.ts'
import { openSidebar } from './open-sidebar.ts'
import { renderPage } from './route-chain.tsx'

type Creator = ComponentType<{ [key: string]: unknown }> & { preload?: () => Promise<unknown> }
type SitePage = PageInfo & { key: string }

/** What the client build left for prerendering. */
interface ClientPages {
  index: string
  publicPath: string
  records: { [path: string]: { record: PageRecord; scripts: string[] } }
}

/** The table as Docusaurus sees it: one route; which page it is depends on the address. */
const routes = [{ path: '/', component: FlatRoutes }]

export default routes

const byKey = new Map<string, SitePage>()
for (const page of pages) if (!byKey.has(pathKey(page.path))) byKey.set(pathKey(page.path), page)

const allNodes: ReadonlyMap<string, SidebarItem[]> = new Map(Object.entries(nodes))
const creators = new Map<string, Creator>()
const NotFound: Creator = ComponentCreator('*', '') as Creator
let clientPages: ClientPages | null = null

/** Loads the modules of a page before it is rendered. */
export function preloadPage(pathname: string): Promise<unknown> {
  const page = byKey.get(pathKey(pathname))
  const needed = page === undefined ? [NotFound] : [createLeaf(page), ...page.layouts.map(createLayout)]
  return Promise.all(needed.map((component) => component.preload?.()))
}

function createLeaf({ key }: SitePage): Creator {
  return create(key)
}

function createLayout(index: number): Creator {
  return create(layoutKeys[index] ?? '')
}

/** Keys are Docusaurus' own: the path, a hyphen and a hash. */
function create(key: string): Creator {
  const at = key.lastIndexOf('-')
  const known = creators.get(key) ?? (ComponentCreator(key.slice(0, at), key.slice(at + 1)) as Creator)
  creators.set(key, known)
  return known
}

function FlatRoutes(): ReactNode {
  const { pathname } = useLocation()
  const page = byKey.get(pathKey(pathname))
  const client = readClientPages()
  const built = page === undefined ? undefined : client.records[page.path]
  for (const script of built?.scripts ?? []) preinit(client.publicPath + script, { as: 'script' })
  const first: FirstPage = { index: client.index, page: built?.record ?? null, nodes: pickNodes(page) }
  return (
    <>
      {page === undefined ? <NotFound /> : render(page)}
      <script
        id={FIRST_PAGE_ID}
        type="application/json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which no tag can begin
        dangerouslySetInnerHTML={{ __html: JSON.stringify(first).replaceAll('<', '\\u003c') }}
      />
    </>
  )
}

function render(page: SitePage): ReactNode {
  addGlobalDocs(page.docs ?? [])
  const refs = page.sidebar?.refs
  const sidebar =
    refs === undefined ? null : openSidebar(allNodes.get(refs[0] ?? '') ?? [], new Set(refs), allNodes)
  const layoutComponents = layoutKeys.map((_, index) => createLayout(index))
  return renderPage({ page, component: createLeaf(page), layoutComponents, sidebar })
}

function pickNodes(page: SitePage | undefined): { [ref: string]: SidebarItem[] } {
  return Object.fromEntries((page?.sidebar?.refs ?? []).map((ref) => [ref, allNodes.get(ref) ?? []]))
}

/** Read when the first page is rendered: only then has the client build finished. */
function readClientPages(): ClientPages {
  clientPages ??= JSON.parse(readFileSync(`${dir}/client-pages.json`, 'utf8')) as ClientPages
  return clientPages
}
