import { pickLanguage } from '@sekisho/contract/language'
import { SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { pagePaths, withoutEnding } from '@sekisho/release/packing'
import { TEXTS } from '../../texts/index.ts'
import {
  type FoundPage,
  findLanguageFolders,
  isWrittenIn,
  linksNameEndings,
  NOT_FOUND,
} from './read-folder.ts'

/** Names that the folder lacks or has wrong. */
export interface SiteNames {
  readonly title?: string | undefined
  readonly lang?: string | undefined
  /** Path below which the pages expect to be served. */
  readonly baseUrl: string
  /** Addresses of pages end as their files do (default: as most links have it). */
  readonly hasEnding?: boolean
}

/** The name of a site whose pages do not say it. */
export const UNNAMED = 'Sekisho'

/** Between a page's title and the site's, as generators write it; Japanese marks stand without spaces. */
const SEPARATOR = / (?:[·•–—―:»«›‹<>~/*-]|::) |\s?[|｜│┃¦：／〜～－—―・]+\s?|: /g
/** The site's title in brackets, behind the page's (Javadoc, DokuWiki) or before it. */
const BEHIND = /\s?[([（［【]([^()[\]（）［］【】]+)[)\]）］】]$/
const BEFORE = /^[[［【]([^[\]［］【】]+)[\]］】]\s?/

/**
 * Describes a folder of HTML as its generator would: each file is a page at the path that the site's links use, an `index.html` at its
 * folder's. Folders of further languages are sites below the first. Throws {@link ReleaseError} without pages.
 */
export function describeFolder(
  dir: string,
  pages: readonly FoundPage[],
  names: SiteNames,
): ReadonlyMap<string, SiteJson> {
  const paths = pagePaths(pages.map(({ file }) => file))
  const home = pages.find(({ file }) => paths.get(file) === '') ?? pages[0]
  if (home === undefined)
    throw new ReleaseError('site_invalid', [
      `there is no HTML file in ${dir}; name the folder your generator writes`,
    ])
  const lang = names.lang ?? (home.lang || likelyLanguage(pages, home))
  const hasEnding = names.hasEnding ?? linksNameEndings(pages, names.baseUrl)
  const languages = findLanguageFolders(pages, lang)
  const folderOf = ({ file }: FoundPage) =>
    [...languages.keys()].find((name) => file.startsWith(`${name}/`)) ?? ''
  const { name } = readSiteName(pages)
  // The title of a page is nothing for strangers, whom the login page tells the site's.
  const main = { title: names.title ?? (name === '' ? UNNAMED : name), lang, baseUrl: names.baseUrl }
  const sites = new Map([['', main]])
  for (const [name, tag] of languages)
    sites.set(name, { ...main, lang: tag, baseUrl: `${main.baseUrl}${name}/` })
  return new Map(
    [...sites].map(([folder, site]) => {
      // What only leads on is a redirect of the release, which the packer finds.
      const own = pages.filter((page) => folderOf(page) === folder && !page.isRedirect)
      return [folder, describeSite(folder, own, { ...site, hasEnding })]
    }),
  )
}

/** Japanese, unless a folder `ja` stands beside a first page in other letters. */
const likelyLanguage = (pages: readonly FoundPage[], home: FoundPage): string =>
  !home.isRedirect &&
  !isWrittenIn('ja', home.title) &&
  pages.some(({ file, title }) => file.startsWith('ja/') && isWrittenIn('ja', title))
    ? 'en'
    : 'ja'

interface FolderSite {
  readonly title: string
  readonly lang: string
  readonly baseUrl: string
  readonly hasEnding: boolean
}

function describeSite(
  folder: string,
  pages: readonly FoundPage[],
  { title, lang, baseUrl, hasEnding }: FolderSite,
): SiteJson {
  const { strip } = readSiteName(pages)
  const below = (file: string) => (folder === '' ? file : file.slice(folder.length + 1))
  const paths = pagePaths(
    pages.map((page) => below(page.file)),
    hasEnding ? undefined : withoutEnding,
  )
  return {
    format: 1,
    title,
    tagline: title, // the login page wants one, and a stranger is to see nothing of a page
    lang,
    baseUrl,
    pages: pages.map((page) => {
      const file = below(page.file)
      const path = baseUrl + (paths.get(file) ?? file)
      const own = strip(page.title)
      return { path, file, title: own === '' ? path : own }
    }),
    redirects: [],
    notFound: NOT_FOUND,
  }
}

/** The site's name, where most titles end or begin with the same, and how to take it off a title; an empty name where none does. */
function readSiteName(pages: readonly FoundPage[]) {
  const titles = pages.filter(({ isRedirect }) => !isRedirect).map(({ title }) => title)
  const separatorsIn = (title: string) => [...title.matchAll(SEPARATOR)]
  const most = (parts: readonly string[]): string => {
    const found = Map.groupBy(parts, (part) => part)
    const [part = '', same = []] =
      [...found].sort(([a, one], [b, other]) => other.length - one.length || b.length - a.length)[0] ?? []
    return same.length >= 2 && same.length * 2 > titles.length - 1 ? part : ''
  }
  const suffix = most(
    titles.flatMap((title) => [
      ...(BEHIND.exec(title) ?? []).slice(0, 1),
      ...separatorsIn(title)
        .slice(-1)
        .map(({ index }) => title.slice(index)),
    ]),
  )
  const behind = BEHIND.exec(suffix)?.index === 0 ? suffix.replace(BEHIND, '$1') : suffix
  const prefixOf = (title: string) => BEFORE.exec(title)?.[0] ?? title.slice(0, endOf(separatorsIn(title)[0]))
  const prefix = suffix === '' ? most(titles.flatMap((title) => prefixOf(title) || [])) : ''
  return {
    name: (behind + prefix.replace(BEFORE, '$1')).replace(SEPARATOR, ''),
    strip: (title: string): string => {
      if (suffix !== '' && title.endsWith(suffix)) return title.slice(0, -suffix.length)
      return prefix !== '' && title.startsWith(prefix) ? title.slice(prefix.length) : title
    },
  }
}

const endOf = (match: RegExpExecArray | undefined): number =>
  match === undefined ? 0 : match.index + match[0].length

/** Page for missing addresses in a folder without its own. */
export function notFoundPage({ lang, baseUrl }: SiteJson): string {
  const language = pickLanguage(lang)
  const { title, back } = TEXTS[language].notFoundPage
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<script src="/__gate/bar.js" defer></script>
</head>
<body>
<main><h1>${title}</h1><p><a href="${encodeURI(baseUrl)}">${back}</a></p></main>
</body>
</html>
`
}

export const SITE_JSON = `${SIDECAR}/site.json`
