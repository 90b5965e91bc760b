import { dayInJapan } from './japanese.ts'

/** A page and the day it last changed, as the landing page lists it. */
export type RecentChange = {
  readonly title: string
  readonly path: string
  readonly area: 'docs' | 'knowledge' | 'blog'
  /** `YYYY-MM-DD` in Japan. */
  readonly day: string
}

type Dated = Omit<RecentChange, 'day'> & { readonly changedAtMs: number }

/** Picks the pages that changed last from what Docusaurus's content plugins loaded; none without Git dates. */
export function recentChanges(allContent: unknown, count: number): RecentChange[] {
  const all = [...docsOf(allContent), ...postsOf(allContent)]
  all.sort((a, b) => b.changedAtMs - a.changedAtMs || (a.path < b.path ? -1 : 1))
  return all.slice(0, count).map(({ changedAtMs, ...page }) => ({ ...page, day: dayInJapan(changedAtMs) }))
}

function docsOf(allContent: unknown): Dated[] {
  const instances = Object.entries(field(allContent, 'docusaurus-plugin-content-docs') ?? {})
  return instances.flatMap(([id, content]) => {
    const versions = list(field(content, 'loadedVersions'))
    const docs = versions
      .filter((version) => field(version, 'isLast') === true)
      .flatMap((v) => list(field(v, 'docs')))
    return docs.flatMap((doc) => dated(doc, id === 'default' ? 'docs' : 'knowledge'))
  })
}

function postsOf(allContent: unknown): Dated[] {
  const instances = Object.values(field(allContent, 'docusaurus-plugin-content-blog') ?? {})
  const posts = instances.flatMap((content) => list(field(content, 'blogPosts')))
  return posts.flatMap((post) => dated(field(post, 'metadata'), 'blog'))
}

function dated(metadata: unknown, area: RecentChange['area']): Dated[] {
  const title = field(metadata, 'title')
  const path = field(metadata, 'permalink')
  const changedAtMs = field(metadata, 'lastUpdatedAt')
  if (field(metadata, 'unlisted') === true) return []
  if (typeof title !== 'string' || typeof path !== 'string' || typeof changedAtMs !== 'number') return []
  return [{ title, path, area, changedAtMs }]
}

/** The version of each docs plugin that readers get by default, by plugin id. */
export type LastVersions = ReadonlyMap<string, string>

/** Reads from what Docusaurus's docs plugins loaded which version readers get by default. */
export function lastVersionsOf(allContent: unknown): LastVersions {
  const instances = Object.entries(Object(field(allContent, 'docusaurus-plugin-content-docs')))
  const found = new Map<string, string>()
  for (const [id, content] of instances) {
    const versions = field(content, 'loadedVersions')
    const last = Array.isArray(versions)
      ? versions.find((version) => field(version, 'isLast') === true)
      : null
    const name = field(last, 'versionName')
    if (typeof name === 'string') found.set(id, name)
  }
  return found
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined
}
