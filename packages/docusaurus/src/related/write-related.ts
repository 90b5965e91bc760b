import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { addToFirstPage, addToTable } from '@sekisho/light-pages'
import { findRelated, type RelatedPage } from '@sekisho/search/indexer'
import { type DocsVersion, pathKey } from '../content/loaded-content.ts'
import { escapeHtml } from '../content/page-metadata.ts'
import { ownerOf, versionIndexes } from '../search/indexing/index-site.ts'

/** Number of documents of a language and version from which their readers are told of related ones. */
const MIN_DOCUMENTS = 10
const MOST = 3
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u
const PLACE = /(?<=<div class="?sekisho-related"?>)(?=<\/div>)/
/** A link to a neighbour. */
const NEIGHBOUR = /<a\b[^>]*\bpagination-nav__link[^>]*>/g

/** Related pages of a document, as its route's data has them. */
export type Related = { heading: string; links: [title: string, url: string][] }

/**
 * Puts links to related pages into built documents, as `RelatedPages` renders them, and into the route table. They are found in the build's
 * indexes; a page's neighbours are left out.
 */
export function writeRelated(
  outDir: string,
  pages: SiteJson['pages'],
  versions: readonly DocsVersion[],
  heading: string,
): void {
  const related = findInIndexes(path.join(outDir, SIDECAR), versions)
  const written = new Map<string, { related: Related }>()
  for (const page of pages) {
    const file = path.join(outDir, page.file)
    const candidates = related.get(page.path) ?? []
    const html = candidates.length === 0 ? '' : readFileSync(file, 'utf8')
    const beside = html.match(NEIGHBOUR)?.map((tag) => pathKey(/\bhref="?([^"\s>]*)/.exec(tag)?.[1] ?? ''))
    const others = candidates.filter((one) => beside?.includes(pathKey(one.path)) !== true).slice(0, MOST)
    const links = others.map((one): [string, string] => [one.title, encodeURI(one.path)])
    const items = links.map(([title, url]) => `<li><a href="${url}">${escapeHtml(title)}</a></li>`).join('')
    const list = `<nav aria-label="${heading}"><h2>${heading}</h2><ul>${items}</ul></nav>`
    const data = { related: { heading, links } }
    const changed = PLACE.test(html)
      ? addToFirstPage(
          html.replace(PLACE, () => list),
          data,
        )
      : null
    if (links.length === 0 || changed === null) continue
    writeFileSync(file, changed)
    written.set(pathKey(page.path), data)
  }
  if (written.size > 0) addToTable(outDir, (route) => written.get(pathKey(route)))
}

/** Compares documents of each language and version; those of several plugins in the versions that readers get by default. */
function findInIndexes(dir: string, versions: readonly DocsVersion[]): Map<string, readonly RelatedPage[]> {
  const found = new Map<string, readonly RelatedPage[]>()
  for (const { version, name } of [{ version: null, name: 'search' }, ...versionIndexes(versions)])
    for (const isJapanese of [true, false]) {
      const related = findRelated(path.join(dir, `${name}.db`), (page) => {
        const owner = ownerOf(page, versions)
        const isOf = version === null ? owner?.isLast === true : owner === version
        return isOf && JAPANESE.test(page.summary) === isJapanese
      })
      if (related.size >= MIN_DOCUMENTS) for (const [page, others] of related) found.set(page, others)
    }
  return found
}
