import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { DEBUG_PAGES } from '@sekisho/light-pages'
import { plainText } from '@sekisho/search/html'
import { parseFragment } from 'parse5'
import type { SiteRedirect } from './options.ts'

/** Fields used of the build; the names are those of Docusaurus's `postBuild`. */
export type BuiltSite = {
  readonly outDir: string
  readonly routesPaths: readonly string[]
  readonly lang: string
  readonly siteConfig: {
    readonly title: string
    readonly tagline: string
    readonly titleDelimiter: string
    readonly baseUrl: string
    readonly trailingSlash?: boolean | undefined
  }
}

const NOT_FOUND = '404.html'

/** Names every page of a build, with the title its HTML carries. Paths are decoded and NFC. */
export function describeSite(
  site: BuiltSite,
  redirects: readonly SiteRedirect[],
  versions: NonNullable<SiteJson['versions']> = [],
  unused: NonNullable<SiteJson['unused']> = [],
): SiteJson {
  const { title, tagline, baseUrl } = site.siteConfig
  const from = new Set(redirects.map((redirect) => withoutSlash(redirect.from)))
  // A site may have two pages of one address, of which Docusaurus warns.
  const routes = [...new Set(site.routesPaths)].filter(
    (route) =>
      route !== baseUrl + NOT_FOUND &&
      !route.startsWith(baseUrl + DEBUG_PAGES) &&
      !from.has(withoutSlash(route)),
  )
  const pages = routes.map((route) => describePage(site, route))
  pages.sort((a, b) => (a.path < b.path ? -1 : 1))
  assertTargetsExist(redirects, pages)
  return {
    format: 1,
    title,
    tagline,
    lang: site.lang,
    baseUrl,
    pages,
    redirects,
    notFound: NOT_FOUND,
    ...(versions.length > 0 && { versions }),
    ...(unused.length > 0 && { unused }),
  }
}

/** Docusaurus gives the routes of redirects the slash, or takes it away, as the site's config says. */
const withoutSlash = (path: string): string => path.replace(/(?<=.)\/$/, '')

/** Writes `__sekisho/site.json` into the output folder. */
export async function writeSiteJson(outDir: string, siteJson: SiteJson): Promise<void> {
  const folder = path.join(outDir, SIDECAR)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'site.json'), `${JSON.stringify(siteJson, null, 1)}\n`)
}

/** Reads with a call that waits: a file of the build just made is in memory, and an asynchronous read costs more than that. */
function describePage(site: BuiltSite, route: string): SiteJson['pages'][number] {
  const { baseUrl, trailingSlash } = site.siteConfig
  const file = pageFile(`/${route.slice(baseUrl.length)}`, trailingSlash)
  const title = pageTitle(readFileSync(path.join(site.outDir, file), 'utf8'), site.siteConfig)
  return { path: decodeURI(route).normalize('NFC'), file, title: title ?? site.siteConfig.title }
}

function assertTargetsExist(redirects: readonly SiteRedirect[], pages: SiteJson['pages']): void {
  const known = new Set(pages.map((page) => page.path))
  const lost = redirects.filter((redirect) => !known.has(redirect.to))
  if (lost.length === 0) return
  const list = lost.map(({ from, to }) => `- ${from} → ${to}`).join('\n')
  throw new Error(`@sekisho/docusaurus: these redirects lead to pages that do not exist.\n${list}`)
}

/**
 * The file Docusaurus writes for a route, relative to the output folder, with `/` between folders. Mirrors
 * `pathnameToFilename` of @docusaurus/core, which is not exported.
 */
export function pageFile(routePath: string, trailingSlash: boolean | undefined): string {
  const name = routePath.replace(/^\//, '')
  if (/\.html?$/i.test(name)) return name
  const folder = name.replace(/\/$/, '')
  if (trailingSlash === false && folder === name && folder !== '') return `${folder}.html`
  return folder === '' ? 'index.html' : `${folder}/index.html`
}

/** The text of a page's `<title>` without the site's name after the delimiter; null when it has none. */
export function pageTitle(html: string, site: { title: string; titleDelimiter: string }): string | null {
  const element = /<title[^>]*>[^<]*<\/title>/i.exec(html)?.[0]
  if (element === undefined) return null
  const title = plainText(parseFragment(element))
  const suffix = ` ${site.titleDelimiter} ${site.title}`
  return title.endsWith(suffix) ? title.slice(0, -suffix.length) : title
}
