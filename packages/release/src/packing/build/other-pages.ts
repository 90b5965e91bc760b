import { readFile } from 'node:fs/promises'
import { MAX_REDIRECT_CHARS, readRefresh, readScriptedRedirect } from '@sekisho/contract/page-metadata'
import type { SitePage } from '@sekisho/contract/site-json'
import { parse, parseFragment } from 'parse5'
import { attribute, findElement } from '../markdown/html-nodes.ts'
import type { BuildFile } from './build-files.ts'
import { isPageFile, pagePaths, withoutEnding } from './page-names.ts'
import { decodePage } from './page-text.ts'
import type { LocalisedSite, SourcedRedirect } from './read-site.ts'

/** Pages that the site's own account does not name. */
interface OtherPages {
  /** Those that do nothing but send their reader on. */
  readonly redirects: readonly SourcedRedirect[]
  /** HTML beside the site's own, as in `static/`. */
  readonly pages: readonly SitePage[]
  /** Files whose bytes are in no encoding that they say or that is likely. */
  readonly undecodable: readonly string[]
}

const TITLE = /<title[^>]*>([^<]*)<\/title/i
const HERE = 'http://release.invalid'

/** Reads the pages of a build that `site.json` does not name. */
export async function readOtherPages(site: LocalisedSite, files: readonly BuildFile[]): Promise<OtherPages> {
  const named = new Set([...site.pages.map(({ file }) => file), site.notFound])
  const known = new Set(site.pages.map(({ path }) => path))
  const others = files.filter(({ name }) => isPageFile(name) && !named.has(name))
  const paths = pagePaths(others.map(({ name }) => name))
  const found = { redirects: [] as SourcedRedirect[], pages: [] as SitePage[], undecodable: [] as string[] }
  for (const { name, file } of others) {
    const html = decodePage(name, await readFile(file))?.text
    if (html === undefined) found.undecodable.push(name)
    else {
      const path = site.baseUrl + (paths.get(name) ?? name)
      const from = withoutEnding(path).replace(/(?<=.)\/$/, '')
      const to = known.has(from) ? null : findTarget(html, site.baseUrl + name)
      if (to !== null) found.redirects.push({ from, to, source: name })
      else {
        const free = known.has(path) ? site.baseUrl + name : path
        found.pages.push({ path: free, file: name, title: readTitle(html) ?? name })
      }
    }
  }
  return found
}

function readTitle(html: string): string | null {
  const [text] = parseFragment(TITLE.exec(html)?.[1] ?? '').childNodes
  const title = text !== undefined && 'value' in text ? text.value.replace(/\s+/g, ' ').trim() : ''
  return title === '' ? null : title
}

/** Path of the release with its `#fragment` to which a page only redirects; null for a page with a text, or that leads to another host. */
function findTarget(html: string, page: string): string | null {
  if (html.length > MAX_REDIRECT_CHARS) return null
  const meta =
    /refresh/i.test(html) &&
    findElement(parse(html), (one) => /^refresh$/i.test(attribute(one, 'http-equiv') ?? ''))
  const refresh = meta ? readRefresh(attribute(meta, 'content') ?? '') : null
  const target = refresh?.isRedirect === true ? refresh.target : readScriptedRedirect(html)
  const url = URL.parse(target ?? '', `${HERE}${encodeURI(page)}`)
  if (target === null || url?.origin !== HERE) return null
  try {
    return decodeURIComponent(url.pathname).normalize('NFC') + decodeURI(url.hash).normalize('NFC')
  } catch {
    return target // a stray `%`, which leads nowhere
  }
}
