import { readFile } from 'node:fs/promises'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import { createMessages } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { decodePage, isPageFile, listBuild, withoutEnding } from '@sekisho/release/packing'
import { readPageHead } from '@sekisho/search/html'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'site')

export const NOT_FOUND = '404.html'

/** Metadata of an HTML file in a folder. */
export interface FoundPage {
  /** Below the folder, with `/` between segments. */
  readonly file: string
  readonly title: string
  readonly lang: string
  /** Addresses its links lead to, as they are written. */
  readonly links: readonly string[]
  /** The page includes the gate's search and account buttons. */
  readonly hasBar: boolean
  /** The page only redirects its reader. */
  readonly isRedirect: boolean
}

export const BAR = '/__gate/bar.js'
const LINK = /<a\s[^>]*?href\s*=\s*["']?([^"'\s>]+)/gi
/** Hosts that the search of a site's own asks, as its scripts name them. */
const SEARCH_HOSTS = /algolia(?:net)?\.(?:com|net)|typesense\.net/

/** Every page of a folder but the one for what is not there. Rejects with {@link ReleaseError} for pages in no known encoding. */
export async function readPages(dir: string): Promise<readonly FoundPage[]> {
  const { files } = await listBuild(dir)
  const pages: FoundPage[] = []
  const undecodable: string[] = []
  for (const { name, file } of files) {
    if (!isPageFile(name) || name === NOT_FOUND) continue
    const html = decodePage(name, await readFile(file))?.text
    if (html === undefined) undecodable.push(name)
    else {
      const { title, lang, isRedirect } = readPageHead(html)
      const links = [...html.matchAll(LINK)].map(([, address = '']) => address)
      pages.push({ file: name, title, lang, links, isRedirect, hasBar: html.includes(BAR) })
    }
  }
  if (undecodable.length > 0)
    throw new ReleaseError(
      'build_invalid',
      undecodable.map((name) => messageOf('undecodable', name)),
    )
  return pages
}

/** Tells if scripts of a folder call a search service that the content policy blocks. */
export async function asksSearchService(dir: string): Promise<boolean> {
  const { files } = await listBuild(dir)
  for (const { name, file } of files)
    if (/\.m?js$/.test(name) && SEARCH_HOSTS.test(await readFile(file, 'utf8'))) return true
  return false
}

/**
 * Tells if the site's own links mostly name pages with their ending (`/guide.html`), not without (`/guide`, as VitePress's `cleanUrls`).
 */
export function linksNameEndings(pages: readonly FoundPage[], baseUrl: string): boolean {
  const files = new Set(pages.map(({ file }) => file))
  const stems = new Set(pages.map(({ file }) => withoutEnding(file)))
  let [withEnding, without] = [0, 0]
  for (const { file, links } of pages)
    for (const link of links) {
      const url = URL.parse(link, `http://folder.invalid${encodeURI(baseUrl + file)}`)
      if (url?.host !== 'folder.invalid' || !url.pathname.startsWith(encodeURI(baseUrl))) continue
      const target = decodeOrSame(url.pathname).slice(baseUrl.length)
      if (isPageFile(target) && files.has(target)) withEnding += 1
      else if (stems.has(target)) without += 1
    }
  return withEnding >= without
}

const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i

/** The first folders that hold a further language: called after it, with pages that say they are in it, unlike the site. */
export function findLanguageFolders(
  pages: readonly FoundPage[],
  siteLang: string,
): ReadonlyMap<string, string> {
  const folders = Map.groupBy(pages, ({ file }) => file.slice(0, Math.max(0, file.indexOf('/'))))
  const found = new Map<string, string>()
  for (const [name, inside] of folders) {
    // A redirect or a page that something else made there, as a coverage report, says nothing of the others.
    const said = inside.flatMap(({ lang, title, isRedirect }) =>
      isRedirect ? [] : lang || (isWrittenIn(name, title) ? name : []),
    )
    const own = said.filter((lang) => primary(lang) === primary(name))
    const lang = own[0] ?? ''
    const isOne = LANGUAGE_TAG.test(name) && own.length * 2 > said.length
    if (isOne && normalize(lang) !== normalize(siteLang)) found.set(name, lang)
  }
  const isAll =
    found.size > 0 && pages.every(({ file, isRedirect }) => isRedirect || found.has(file.split('/')[0] ?? ''))
  if (isAll) found.delete([...found.keys()][0] ?? '') // somebody has to be the main one
  return found
}

/** Scripts of languages that pages without a tag are known by; English is, since no other folder is called so. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  en: /\p{sc=Latin}/u,
  ja: /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u,
  ko: /\p{sc=Hangul}/u,
  ru: /\p{sc=Cyrillic}/u,
  zh: /\p{sc=Han}/u,
}

/** Tells if a title is in the script of a language. */
export const isWrittenIn = (tag: string, title: string): boolean =>
  SCRIPTS[primary(tag)]?.test(title) === true

const normalize = (tag: string): string => tag.toLowerCase().replaceAll('_', '-')
const primary = (tag: string): string => normalize(tag).split('-')[0] ?? ''
