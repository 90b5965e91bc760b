import {
  attribute,
  type Element,
  elements,
  findElement,
  hasClass,
  type PageHead,
  type Parent,
  plainText,
  readPageHead,
  readSections,
} from '@sekisho/search/html'
import type { IndexPage, PageKind } from '@sekisho/search/indexer'
import { parseFragment } from 'parse5'

/** A built page: its decoded route, its title without the site's name, and its HTML. */
export type BuiltPage = { readonly path: string; readonly title: string; readonly html: string }

/** Reads a built page for the index; null when it is not to be found: a listing, or one that asks for it. */
export function readPage(page: BuiltPage): IndexPage | null {
  const head = readPageHead(page.html)
  const kind = head.isExcluded ? null : kindOf(head)
  const main = kind === null ? null : mainOf(page.html)
  if (kind === null || main === null) return null
  const { path, title } = page
  return {
    id: path,
    url: encodeURI(path),
    title,
    kind,
    breadcrumbs: readBreadcrumbs(main),
    ...(head.description === '' ? {} : { description: head.description }),
    keywords: head.keywords,
    tags: readTags(main),
    ...readVersion(head),
    ...readDate(main),
    sections: readSections(contentOf(main), title),
  }
}

/** Docusaurus writes what a page is into the classes of its html element. */
function kindOf({ classes: names }: PageHead): PageKind | null {
  const after = (prefix: string): string | undefined =>
    names.find((name) => name.startsWith(prefix))?.slice(prefix.length)
  const pluginId = after('plugin-id-') ?? 'default'
  if (names.includes('plugin-docs')) {
    if (after('docs-doc-id-') === undefined) return null
    if (pluginId.startsWith('openapi')) return 'reference'
    return pluginId === 'default' ? 'docs' : 'knowledge'
  }
  if (names.includes('plugin-blog')) return names.includes('blog-post-page') ? 'blog' : null
  return 'page'
}

/** Only `main` is parsed: the sidebars around it are most of a large site's bytes. */
function mainOf(html: string): Parent | null {
  const start = html.search(/<main[\s>]/)
  const end = html.lastIndexOf('</main>')
  return start < 0 || end < start ? null : parseFragment(html.slice(start, end))
}

/** The text itself, without the bar above and the footer below; on a page of its own design, all of `main`. */
export function contentOf(main: Parent): Parent {
  const isText = (element: Element): boolean =>
    attribute(element, 'id') === '__blog-post-container' || hasClass(element, 'theme-doc-markdown')
  return findElement(main, isText) ?? findElement(main, ({ tagName }) => tagName === 'article') ?? main
}

/** The breadcrumbs without the page itself. */
function readBreadcrumbs(main: Parent): string[] {
  const links = elements(main).filter((element) => hasClass(element, 'breadcrumbs__link'))
  return links
    .map(plainText)
    .filter((name) => name !== '')
    .slice(0, -1)
}

function readTags(main: Parent): string[] {
  const links = elements(main).filter((element) => attribute(element, 'rel') === 'tag')
  return [...new Set(links.map(plainText))]
}

/** Pages of a site without versions are all of the current one. */
function readVersion({ classes: names }: PageHead): { version?: string } {
  const name = names.find((one) => one.startsWith('docs-version-'))?.slice('docs-version-'.length)
  return name === undefined || name === 'current' ? {} : { version: name }
}

/** The day of a post, or of the last change where the site shows it. */
function readDate(main: Parent): { date?: string } {
  const time = findElement(main, ({ tagName }) => tagName === 'time')
  const day = /^\d{4}-\d{2}-\d{2}/.exec(time === null ? '' : (attribute(time, 'datetime') ?? ''))?.[0]
  return day === undefined ? {} : { date: day }
}
