import { pickLanguage } from '@sekisho/contract/language'
import { SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { TEXTS } from '../texts/index.ts'
import { type FoundPage, findLanguageFolders, linksNameEndings, NOT_FOUND } from './read-folder.ts'

/** What the folder itself does not say, or says wrongly. */
export interface SiteNames {
  readonly title?: string | undefined
  readonly lang?: string | undefined
  /** Path below which the pages expect to be served. */
  readonly baseUrl: string
  /** Whether addresses of pages end as their files do (default: as most links have it). */
  readonly hasEnding?: boolean
}

/** Between a page's title and the site's, as generators write it. */
const SEPARATOR = / (?:[|·•–—:-]|::) /g

/**
 * Describes a folder of HTML as its generator would: each HTML file is a page at the path by which the site's links know it, an
 * `index.html` at its folder's, so that relative links lead where they led before. A folder of a further language is a site below the
 * first one, by its name; the first one's is empty. Throws {@link ReleaseError} when there is no page.
 */
export function describeFolder(
  dir: string,
  pages: readonly FoundPage[],
  names: SiteNames,
): ReadonlyMap<string, SiteJson> {
  const home = pages.find(({ file }) => file === 'index.html') ?? pages[0]
  if (home === undefined)
    throw new ReleaseError('site_invalid', [
      `there is no HTML file in ${dir}; name the folder your generator writes`,
    ])
  const lang = names.lang ?? (home.lang === '' ? 'ja' : home.lang)
  const hasEnding = names.hasEnding ?? linksNameEndings(pages, names.baseUrl)
  const languages = findLanguageFolders(pages, lang)
  const folderOf = ({ file }: FoundPage) =>
    [...languages.keys()].find((name) => file.startsWith(`${name}/`)) ?? ''
  const suffix = commonSuffix(pages.map(({ title }) => title))
  const fallback = names.title ?? (suffix === '' ? home.title : suffix.replace(SEPARATOR, ''))
  const main = { title: fallback === '' ? 'Sekisho' : fallback, lang, baseUrl: names.baseUrl }
  const sites = new Map([['', main]])
  for (const [name, tag] of languages)
    sites.set(name, { ...main, lang: tag, baseUrl: `${main.baseUrl}${name}/` })
  return new Map(
    [...sites].map(([folder, site]) => {
      const own = pages.filter((page) => folderOf(page) === folder)
      return [folder, describeSite(folder, own, { ...site, hasEnding })]
    }),
  )
}

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
  const suffix = commonSuffix(pages.map((page) => page.title))
  return {
    format: 1,
    title,
    tagline: title, // the login page wants one, and a stranger is to see nothing of a page
    lang,
    baseUrl,
    pages: pages.map((page) => {
      const file = folder === '' ? page.file : page.file.slice(folder.length + 1)
      const name = file.replace(/(^|\/)index\.html$/, '$1')
      const path = baseUrl + (hasEnding ? name : name.replace(/\.html$/, ''))
      const own =
        suffix !== '' && page.title.endsWith(suffix) ? page.title.slice(0, -suffix.length) : page.title
      return { path, file, title: own === '' ? path : own }
    }),
    redirects: [],
    notFound: NOT_FOUND,
  }
}

/** The site's name with what stands before it, where most titles end with the same; else nothing. */
function commonSuffix(titles: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const title of titles) {
    const at = [...title.matchAll(SEPARATOR)].at(-1)?.index
    if (at !== undefined) counts.set(title.slice(at), (counts.get(title.slice(at)) ?? 0) + 1)
  }
  const [suffix = '', count = 0] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? []
  return count >= 2 && count * 2 > titles.length - 1 ? suffix : ''
}

/** What a folder without a page for it answers where nothing is. */
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
