import { createRequire } from 'node:module'
import path from 'node:path'
import type { Searched } from './options.ts'
import { listNames } from './page-tools/conflicting-plugins.ts'

/** Files of other search plugins in a build, and their results pages, which ours replaces. */
const SEARCHES: readonly {
  readonly name: RegExp
  readonly indexes: readonly string[]
  readonly hasPage: boolean
}[] = [
  { name: /@easyops-cn[/\\]docusaurus-search-local/, indexes: ['search-index'], hasPage: true },
  { name: /@cmfcmf[/\\]docusaurus-search-local/, indexes: ['search-index-'], hasPage: false },
  { name: /lunr-search/, indexes: ['search-doc', 'lunr-index'], hasPage: false },
  { name: /search-pagefind/, indexes: ['pagefind/'], hasPage: false },
  { name: /search-typesense|search-algolia/, indexes: [], hasPage: true },
]

type Listed = { readonly plugins?: unknown; readonly themes?: unknown; readonly themeConfig: object }

/** Consequences for search plugins listed beside ours. */
export function replacedSearches({ plugins, themes, themeConfig }: Listed): {
  /** Unused since replaced: prefixes of their indexes' names, or their folders. */
  readonly indexes: readonly string[]
  readonly hasPage: boolean
  /** Their configured scope, from `indexDocs`, `indexBlog` and `indexPages`. */
  readonly searched: Partial<Searched>
} {
  const names = [plugins, themes].flatMap((list) => listNames(withoutOwnFields(list)))
  const replaced = SEARCHES.filter(({ name }) => names.some((listed) => name.test(listed)))
  return {
    indexes: replaced.flatMap(({ indexes }) => indexes),
    hasPage: 'algolia' in themeConfig || replaced.some(({ hasPage }) => hasPage),
    searched: Object.assign({}, ...[plugins, themes].flatMap(readSearched)),
  }
}

const AREAS = { docs: 'indexDocs', blog: 'indexBlog', pages: 'indexPages' } as const

/** Scopes that the replaced searches of a list exclude. */
function readSearched(entries: unknown): Partial<Searched>[] {
  return (Array.isArray(entries) ? entries : []).flatMap((entry) => {
    const [name] = listNames([entry])
    if (name === undefined || !SEARCHES.some((one) => one.name.test(name))) return []
    const off = Object.entries(AREAS).filter(([, option]) => Object(Object(entry)[1])[option] === false)
    return [Object.fromEntries(off.map(([area]) => [area, false]))]
  })
}

/** Without those that only make an index: what asks it is a search of the site's own, which stays. */
const withoutOwnFields = (list: unknown): unknown =>
  Array.isArray(list) ? list.filter((entry) => Object(Object(entry)[1]).indexOnly !== true) : list

/**
 * The module by which plugin-pwa asks for its service worker, as nothing: the gate gives no script to a service worker (docs/assurance.md), and
 * the console of each page would say so.
 */
export function withoutServiceWorker(siteDir: string): Readonly<Record<string, false>> {
  try {
    const plugin = createRequire(path.join(siteDir, 'package.json')).resolve('@docusaurus/plugin-pwa')
    return { [path.join(path.dirname(plugin), 'registerSw.js')]: false }
  } catch {
    return {} // a site without it
  }
}
