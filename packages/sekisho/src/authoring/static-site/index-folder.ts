import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import { isNestedTooDeep, nestedTooDeep } from '@sekisho/contract/html-depth'
import type { SiteJson, SitePage } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { decodePage } from '@sekisho/release/packing'
import {
  attribute,
  type Element,
  elements,
  findElement,
  hasClass,
  isElement,
  type PageHead,
  type Parent,
  readPageHead,
  readSections,
} from '@sekisho/search/html'
import { buildIndex, type IndexPage, type NotEmbedded, type Vocabulary } from '@sekisho/search/indexer'
import { parse } from 'parse5'

export interface IndexPlace {
  readonly outFile: string
  readonly cacheDir: string
  /** The team's own words. */
  readonly vocabulary: Vocabulary
  /** The key of the endpoint that it names for embeddings. */
  readonly embeddingsKey?: string | undefined
}

/** Result of indexing a folder's pages. */
interface IndexedFolder {
  readonly notEmbedded: NotEmbedded | null
  /** Pages that ask to be left out. */
  readonly excluded: number
}

/**
 * Writes the search index of a folder's pages; each is read when its turn comes and let go. Rejects with {@link ReleaseError} for a page
 * that is nested too deep.
 */
export async function indexFolder(dir: string, site: SiteJson, place: IndexPlace): Promise<IndexedFolder> {
  const left: string[] = []
  const { notEmbedded } = await buildIndex({ pages: readPages(dir, site, left), ...place })
  return { notEmbedded, excluded: left.length }
}

async function* readPages(
  dir: string,
  { pages, notFound }: SiteJson,
  left: string[],
): AsyncGenerator<IndexPage> {
  for (const page of pages) {
    if (page.file === notFound) continue
    const html = decodePage(page.file, await readFile(join(dir, page.file)))?.text
    const { isExcluded, isRedirect, ...head } = readPageHead(html ?? '')
    if (isExcluded) left.push(page.file)
    else if (html !== undefined && !isRedirect) yield readStaticPage(page, head, html)
  }
}

/** Reads a page for the index, whatever made it. */
function readStaticPage(
  { path, file, title }: SitePage,
  { description, keywords }: Pick<PageHead, 'description' | 'keywords'>,
  html: string,
): IndexPage {
  const page = parse(html)
  if (isNestedTooDeep(page)) throw new ReleaseError('build_invalid', [nestedTooDeep(file)])
  return {
    id: path,
    url: encodePath(path),
    title,
    kind: 'docs',
    breadcrumbs: [],
    ...(description === '' ? {} : { description }),
    keywords,
    sections: readSections(contentOf(page), title),
  }
}

/** The text itself as pages mark it; where nothing is marked, the body without what stands around a text. */
function contentOf(page: Parent): Parent {
  const body = findElement(page, ({ tagName }) => tagName === 'body') ?? page
  const main = findElement(body, isMain)
  if (main === null) return withoutSurroundings(body)
  const articles = elements(main).filter(({ tagName }) => tagName === 'article')
  const [article] = articles.length === 1 ? articles : []
  return article !== undefined && (hasTitle(article) || !hasTitle(main)) ? article : main
}

const hasTitle = (parent: Parent): boolean => findElement(parent, ({ tagName }) => tagName === 'h1') !== null

/** `col-content` is TypeDoc's, which has no landmark. */
const isMain = (element: Element): boolean =>
  element.tagName === 'main' || attribute(element, 'role') === 'main' || hasClass(element, 'col-content')

function withoutSurroundings(body: Parent): Parent {
  const isText = (node: Parent['childNodes'][number]): boolean =>
    !isElement(node) || !(/^(?:header|footer|aside)$/.test(node.tagName) && !hasTitle(node))
  body.childNodes = body.childNodes.filter(isText)
  return body
}
