import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import {
  brokenMarkdownLink,
  inSiteLanguage,
  type LinkHistory,
  type PageSource,
} from '@sekisho/docusaurus/writing'
import { brokenAnchor, brokenLink, duplicateRoute, withHistory } from '../build/writers-texts.ts'
import type { NotedPage, NotedSite } from './site-notes.ts'

/** A page with what its file holds now. */
export interface ReadPage extends NotedPage {
  readonly read: PageSource
}

type PagesByAddress = ReadonlyMap<string, readonly ReadPage[]>

/** Targets that only a browser or another host can check, or none at all. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|$)/i
/** Parts that browsers add to an address by themselves. */
const NO_ANCHOR = /^(?:$|:~:|user-content-)/

/**
 * Finds in the sources of a site's pages what a build would complain of, in its words: links to pages, files and headings that
 * are not there, and addresses that several files claim.
 * @returns a sentence for each, with file and line
 */
export function findProblems(
  siteDir: string,
  site: NotedSite,
  pages: readonly ReadPage[],
  history: LinkHistory,
): string[] {
  const byAddress = Map.groupBy(pages, ({ permalink }) => withoutSlash(permalink))
  const duplicates = [...byAddress.values()]
    .filter((sharing) => sharing.length > 1)
    .map((sharing) =>
      inSiteLanguage(
        duplicateRoute(
          sharing[0]?.permalink ?? '',
          sharing.map(({ source }) => source),
        ),
      ),
    )
  const check = createLinkCheck(siteDir, site, byAddress, history)
  return [
    ...duplicates,
    ...pages.flatMap((page) =>
      page.read.links.flatMap(({ target, line }) => check(page, target, `${page.source}:${line}`) ?? []),
    ),
  ]
}

/** Makes the check of one link: what its writer is told, or null. */
function createLinkCheck(siteDir: string, site: NotedSite, byAddress: PagesByAddress, history: LinkHistory) {
  const addresses = new Set([...site.routes].map(withoutSlash))
  const bySource = new Map([...byAddress.values()].flat().map((page) => [page.source, page.permalink]))

  return (page: ReadPage, target: string, place: string): string | null => {
    const [path = '', hash = ''] = target.split(/#(.*)/s)
    if (ELSEWHERE.test(path) && path !== '') return null
    const address = addressOf(page, decodeOrSame(path.replace(/\?.*$/s, '')))
    if (address === null) return null
    if (address === undefined)
      return site.onBrokenLinks === 'ignore'
        ? null
        : inSiteLanguage(
            withHistory(
              /\.mdx?$/i.test(path) ? brokenMarkdownLink(place, target) : brokenLink(place, target),
              history.ofPage(page, target),
            ),
          )
    if (site.onBrokenAnchors === 'ignore' || NO_ANCHOR.test(hash)) return null
    const [there, ...others] = byAddress.get(withoutSlash(address)) ?? []
    const { anchors = null } = there?.read ?? {}
    const isKnown =
      anchors === null || others.length > 0 || anchors.has(hash) || anchors.has(decodeOrSame(hash))
    const became = isKnown || there === undefined ? null : history.ofHeading(there.source, hash)
    return isKnown ? null : inSiteLanguage(withHistory(brokenAnchor(place, target), became))
  }

  /** Address of a path's target: null for a file, which has no headings; undefined without a target. */
  function addressOf(page: ReadPage, path: string): string | null | undefined {
    if (path === '') return page.permalink
    if (/\.mdx?$/i.test(path)) {
      const sources = foldersAbove(page.source).map((folder) => join(folder, path))
      return sources.map((source) => bySource.get(source)).find((found) => found !== undefined)
    }
    const isBelow = !path.startsWith('/') || path.startsWith(site.baseUrl) // to another, Docusaurus adds the base
    const whole = isBelow ? path : site.baseUrl + path.slice(1)
    const address = decodeOrSame(new URL(whole, `http://site.invalid${page.permalink}`).pathname)
    if (addresses.has(withoutSlash(address.replace(/(?:\/index)?\.html$/, '')))) return address
    const files = [
      ...site.staticDirectories.map((folder) => join(folder, `/${address}`.replace(`/${site.baseUrl}`, '/'))),
      path.startsWith('@site/') ? path.slice('@site/'.length) : join(dirname(page.source), path),
    ]
    return files.some((file) => isFile(join(siteDir, file))) ? null : undefined
  }
}

/** A page's folder and those around it, up to the site: a link to a Markdown file may begin at any that holds pages. */
function foldersAbove(source: string): string[] {
  const folder = dirname(source)
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)]
}

const withoutSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)
const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true
