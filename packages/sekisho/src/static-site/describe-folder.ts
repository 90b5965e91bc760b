import { readFile } from 'node:fs/promises'
import { SIDECAR, type SiteJson, type SitePage } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { listBuild } from '@sekisho/release/packing'
import { readPageHead } from '@sekisho/search/html'

/** What the folder itself does not say, or says wrongly. */
export interface SiteNames {
  readonly title?: string | undefined
  readonly lang?: string | undefined
  /** Path below which the pages expect to be served. */
  readonly baseUrl: string
}

export const NOT_FOUND = '404.html'
const PAGE = /\.html?$/i
/** Between a page's title and the site's, as generators write it. */
const SEPARATOR = / (?:[|·•–—:-]|::) /g

/**
 * Describes a folder of HTML as its generator would: each HTML file is a page at its own path, an `index.html` at its
 * folder's, so that relative links lead where they led before. Rejects with {@link ReleaseError} when there is no page.
 */
export async function describeFolder(dir: string, names: SiteNames): Promise<SiteJson> {
  const { files } = await listBuild(dir)
  const pages: (SitePage & { readonly lang: string })[] = []
  for (const { name, file } of files) {
    if (!PAGE.test(name) || name === NOT_FOUND) continue
    const { title, lang } = readPageHead(await readFile(file, 'utf8'))
    pages.push({ path: names.baseUrl + name.replace(/(^|\/)index\.html$/, '$1'), file: name, title, lang })
  }
  const home = pages.find(({ path }) => path === names.baseUrl) ?? pages[0]
  if (home === undefined)
    throw new ReleaseError('site_invalid', [
      `there is no HTML file in ${dir}; name the folder your generator writes`,
    ])
  const suffix = commonSuffix(pages.map(({ title }) => title))
  const found = names.title ?? (suffix === '' ? home.title : suffix.replace(SEPARATOR, ''))
  const title = found === '' ? 'Sekisho' : found
  return {
    format: 1,
    title,
    tagline: title, // the login page wants one, and a stranger is to see nothing of a page
    lang: names.lang ?? (home.lang === '' ? 'ja' : home.lang),
    baseUrl: names.baseUrl,
    pages: pages.map(({ path, file, title: whole }) => {
      const own = suffix !== '' && whole.endsWith(suffix) ? whole.slice(0, -suffix.length) : whole
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
  const [title, back] = /^ja/i.test(lang)
    ? ['ページが見つかりません', 'トップページへ']
    : ['Page not found', 'To the first page']
  return `<!doctype html>
<html lang="${/^ja/i.test(lang) ? 'ja' : 'en'}">
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
