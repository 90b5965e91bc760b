import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Docusaurus' record of a Markdown page from loading the site. */
export interface NotedPage {
  readonly permalink: string
  /** Relative to the site. */
  readonly source: string
  readonly title: string
  readonly description: string
  readonly kind: 'docs' | 'reference' | 'knowledge' | 'blog' | 'page'
  readonly keywords: readonly string[]
  readonly tags: readonly string[]
  readonly unlisted: boolean
}

/** A site as Docusaurus' development server has loaded it. */
export interface NotedSite {
  readonly pages: readonly NotedPage[]
  /** Every address that it answers with a page. */
  readonly routes: ReadonlySet<string>
  readonly baseUrl: string
  readonly staticDirectories: readonly string[]
  readonly locale: string
  /** Of `.md` files: `md`, `mdx` or `detect`. */
  readonly format: string
  readonly onBrokenLinks: string
  readonly onBrokenAnchors: string
}

const NOTES = 'docusaurus-plugin-content-{docs,blog,pages}/*/site-*.json'
/** Written last whenever the site or a part of it was loaded anew. */
const ROUTES = 'routesChunkNames.json'
const CONFIG = 'docusaurus.config.mjs'

/** Folder of Docusaurus' records, and its leading files, relative to the site. */
const NOTES_FOLDER = '.docusaurus'
export const ROUTES_FILE = join(NOTES_FOLDER, ROUTES)

/**
 * Reads what Docusaurus notes in its generated folder about pages and routes; null until it has loaded the site. Notes stay when
 * their page goes, so that a page counts while its file and its route are there.
 */
export function readNotedSite(siteDir: string): NotedSite | null {
  const generated = join(siteDir, NOTES_FOLDER)
  const names = readJson(join(generated, ROUTES))
  const config = readConfig(join(generated, CONFIG))
  if (names === null || config === null) return null
  const routes = new Set(Object.keys(names).map((key) => key.replace(/-[0-9a-f]{3}$/u, '')))
  const last = lastVersions(Object(readJson(join(generated, 'globalData.json'))))
  const pages = globSync(NOTES, { cwd: generated }).flatMap((name) => {
    const page = readNote(name, Object(readJson(join(generated, name))))
    const isServed = page !== null && routes.has(page.permalink) && isFile(join(siteDir, page.source))
    return isServed && last(name, page.version) ? [page] : []
  })
  const { baseUrl = '/', staticDirectories = ['static'], onBrokenLinks, onBrokenAnchors } = config
  const { format = 'mdx' } = Object(config.markdown)
  const { defaultLocale: locale = 'en' } = Object(config.i18n)
  return { pages, routes, baseUrl, staticDirectories, locale, format, onBrokenLinks, onBrokenAnchors }
}

function readNote(name: string, note: Record<string, unknown>): (NotedPage & { version: unknown }) | null {
  const { permalink, source, title, description, tags, unlisted, version } = note
  if (typeof permalink !== 'string' || typeof source !== 'string' || !source.startsWith('@site/')) return null
  const { keywords } = Object(note.frontMatter)
  const [plugin = '', id = ''] = name.split(/[\\/]/u)
  return {
    permalink,
    source: source.slice('@site/'.length),
    title: String(title ?? permalink),
    description: String(description ?? ''),
    kind: kindOf(plugin, id),
    keywords: listOf(keywords).map(String),
    tags: listOf(tags).map((tag) => String(Object(tag).label)),
    unlisted: unlisted === true,
    version,
  }
}

function kindOf(plugin: string, id: string): NotedPage['kind'] {
  if (plugin.endsWith('-blog')) return 'blog'
  if (plugin.endsWith('-pages')) return 'page'
  if (id.startsWith('openapi')) return 'reference'
  return id === 'default' ? 'docs' : 'knowledge'
}

/** Tells if a document is of the version that readers get by default. */
function lastVersions(globalData: Record<string, unknown>): (name: string, version: unknown) => boolean {
  const plugins = Object(globalData['docusaurus-plugin-content-docs'])
  return (name, version) => {
    const [plugin = '', id = ''] = name.split(/[\\/]/u)
    if (!plugin.endsWith('-docs')) return true
    const known = listOf(Object(plugins[id]).versions).find((one) => Object(one).name === version)
    return Object(known).isLast === true
  }
}

/** The config as Docusaurus prints it: JSON behind a remark and `export default`. */
function readConfig(file: string) {
  const text = textOf(file)
    ?.replace(/^[\s\S]*?export default /u, '')
    .replace(/;?\s*$/u, '')
  return text === undefined ? null : parse(text)
}

const readJson = (file: string) => parse(textOf(file) ?? '')

/** Null for what is not there, or is just being written. */
function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
