import { dayInJapan } from './japanese.ts'

/** A page and the day it last changed, as the landing page lists it. */
export type RecentChange = {
  readonly title: string
  readonly path: string
  readonly area: 'docs' | 'knowledge' | 'blog'
  /** `YYYY-MM-DD` in Japan: when a post was published, when any other page last changed. */
  readonly day: string
  /** The page's description. */
  readonly summary: string
  /** Authors of a post; empty for other pages. */
  readonly authors: readonly string[]
}

type Dated = Omit<RecentChange, 'day'> & { readonly changedAtMs: number }

/** Placeholder date of a development server that does not ask Git: no date is shown in its place. */
const MADE_UP_MS = 1_539_502_055_000

/** A day of many edits must not push every post off the list. */
const MIN_POSTS = 2

/**
 * Picks the pages that changed last, the newest posts among them, from what Docusaurus's content plugins loaded. Pages in another
 * language than the site's follow; pages that Git cannot date are left out.
 */
export function recentChanges(allContent: unknown, count: number, locale: string): RecentChange[] {
  const isJapanese = locale.startsWith('ja')
  const isForeign = ({ title, summary }: Dated) => JAPANESE.test(title + summary) !== isJapanese
  const inOrder = (a: Dated, b: Dated): number =>
    Number(isForeign(a)) - Number(isForeign(b)) || b.changedAtMs - a.changedAtMs || (a.path < b.path ? -1 : 1)
  const posts = postsOf(allContent).sort(inOrder)
  const kept = posts.splice(0, Math.min(MIN_POSTS, Math.floor(count / 3)))
  const others = [...docsOf(allContent), ...posts].sort(inOrder).slice(0, count - kept.length)
  const picked = [...kept, ...others].sort(inOrder)
  return picked.map(({ changedAtMs, ...page }) => ({ ...page, day: dayInJapan(changedAtMs) }))
}

const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u

function docsOf(allContent: unknown): Dated[] {
  const instances = Object.entries(field(allContent, 'docusaurus-plugin-content-docs') ?? {})
  return instances.flatMap(([id, content]) => {
    const versions = list(field(content, 'loadedVersions'))
    const docs = versions
      .filter((version) => field(version, 'isLast') === true)
      .flatMap((v) => list(field(v, 'docs')))
    const area = id === 'default' ? 'docs' : 'knowledge'
    return docs.flatMap((doc) => dated(doc, area, field(doc, 'lastUpdatedAt')))
  })
}

function postsOf(allContent: unknown): Dated[] {
  const instances = Object.values(field(allContent, 'docusaurus-plugin-content-blog') ?? {})
  const posts = instances.flatMap((content) => list(field(content, 'blogPosts')))
  return posts.flatMap((post) => {
    const metadata = field(post, 'metadata')
    const date = field(metadata, 'date')
    const publishedAtMs = date instanceof Date || typeof date === 'string' ? new Date(date).getTime() : null
    return dated(metadata, 'blog', publishedAtMs)
  })
}

function dated(metadata: unknown, area: RecentChange['area'], changedAtMs: unknown): Dated[] {
  const title = field(metadata, 'title')
  const path = field(metadata, 'permalink')
  if (field(metadata, 'unlisted') === true) return []
  if (typeof title !== 'string' || typeof path !== 'string') return []
  if (typeof changedAtMs !== 'number' || changedAtMs === MADE_UP_MS) return []
  const summary = field(metadata, 'description')
  const authors = list(field(metadata, 'authors')).map((author) => field(author, 'name'))
  return [
    {
      title,
      path,
      area,
      changedAtMs,
      summary: typeof summary === 'string' ? summary : '',
      authors: authors.filter((name) => typeof name === 'string'),
    },
  ]
}

/** The addresses of the pages and documents that content plugins loaded. */
export function listPaths(allContent: unknown): ReadonlySet<string> {
  const pages = Object.values(Object(field(allContent, 'docusaurus-plugin-content-pages'))).flatMap(list)
  const docs = loadedDocs(allContent).map(({ doc }) => doc)
  return new Set([...pages, ...docs].map((page) => String(field(page, 'permalink'))))
}

/** Documents with the version that each belongs to, as the docs plugins describe them. */
export const loadedDocs = (allContent: unknown): readonly { version: unknown; doc: unknown }[] =>
  Object.values(Object(field(allContent, 'docusaurus-plugin-content-docs')))
    .flatMap((content) => list(field(content, 'loadedVersions')))
    .flatMap((version) => list(field(version, 'docs')).map((doc) => ({ version, doc })))

/** Pages, documents of every version and posts that content plugins loaded, as they describe each. */
export function loadedPages(allContent: unknown): readonly unknown[] {
  const of = (plugin: string) =>
    Object.values(Object(field(allContent, `docusaurus-plugin-content-${plugin}`)))
  return [
    ...of('pages').flatMap(list),
    ...loadedDocs(allContent).map(({ doc }) => doc),
    ...of('blog')
      .flatMap((content) => list(field(content, 'blogPosts')))
      .map((post) => field(post, 'metadata')),
  ]
}

/** Addresses of pages by their sources (`@site/…`). */
export const addressesOf = (allContent: unknown): ReadonlyMap<string, string> =>
  new Map(
    loadedPages(allContent).map((page) => [String(field(page, 'source')), String(field(page, 'permalink'))]),
  )

/** Reasons for omitting a page from search: it is unlisted, or has `search: false` in its front matter. */
export type LeftOut = 'unlisted' | 'search_false'

/** Pages that are left out of the search, by their paths without a closing slash. */
export function leftOutOf(allContent: unknown): ReadonlyMap<string, LeftOut> {
  return new Map(
    loadedPages(allContent).flatMap((page): [string, LeftOut][] => {
      const path = pathKey(String(field(page, 'permalink')))
      if (field(page, 'unlisted') === true) return [[path, 'unlisted']]
      return field(field(page, 'frontMatter'), 'search') === false ? [[path, 'search_false']] : []
    }),
  )
}

/** A path as both permalinks and built pages have it: decoded, and without a closing slash. */
export function pathKey(path: string): string {
  const bare = path.replace(/(?<=.)\/$/, '')
  try {
    return decodeURI(bare).normalize('NFC')
  } catch {
    return bare
  }
}

/** A version of the documents of a docs plugin. */
export interface DocsVersion {
  readonly plugin: string
  /** Prefix of its pages; begins and ends with a slash. */
  readonly path: string
  /** The default version of readers. */
  readonly isLast: boolean
}

/** Reads from what Docusaurus's docs plugins loaded which versions there are, those below others first. */
export function versionsOf(allContent: unknown): readonly DocsVersion[] {
  const instances = Object.entries(Object(field(allContent, 'docusaurus-plugin-content-docs')))
  const versions = instances.flatMap(([plugin, content]) =>
    list(field(content, 'loadedVersions')).flatMap((version) => {
      const path = field(version, 'path')
      const isLast = field(version, 'isLast') === true
      return typeof path === 'string' ? [{ plugin, path: path.replace(/\/?$/, '/'), isLast }] : []
    }),
  )
  return versions.toSorted((one, other) => other.path.length - one.path.length)
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined
}
