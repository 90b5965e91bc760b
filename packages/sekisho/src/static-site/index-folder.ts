import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import { isNestedTooDeep, nestedTooDeep } from '@sekisho/contract/html-depth'
import type { SiteJson, SitePage } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import {
  attribute,
  type Element,
  elements,
  findElement,
  hasClass,
  isElement,
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

/**
 * Writes the search index of a folder's pages; each is read when its turn comes and let go. Resolves to what has no vectors. Rejects with {@link ReleaseError} for a page
 * that is nested too deep.
 */
export async function indexFolder(
  dir: string,
  site: SiteJson,
  place: IndexPlace,
): Promise<NotEmbedded | null> {
  const { notEmbedded } = await buildIndex({ pages: readPages(dir, site), ...place })
  return notEmbedded
}

async function* readPages(dir: string, { pages, notFound }: SiteJson): AsyncGenerator<IndexPage> {
  for (const page of pages) {
    if (page.file === notFound) continue
    const read = readStaticPage(page, await readFile(join(dir, page.file), 'utf8'))
    if (read !== null) yield read
  }
}

/** Reads a page for the index, whatever made it; null when it is not to be found. */
function readStaticPage({ path, file, title }: SitePage, html: string): IndexPage | null {
  const page = parse(html)
  if (isNestedTooDeep(page)) throw new ReleaseError('build_invalid', [nestedTooDeep(file)])
  const { noIndex, isRedirect, description, keywords } = readPageHead(html)
  if (noIndex || isRedirect) return null
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
  return articles.length === 1 ? (articles[0] ?? main) : main
}

/** `col-content` is TypeDoc's, which has no landmark. */
const isMain = (element: Element): boolean =>
  element.tagName === 'main' || attribute(element, 'role') === 'main' || hasClass(element, 'col-content')

function withoutSurroundings(body: Parent): Parent {
  const isText = (node: Parent['childNodes'][number]): boolean =>
    !isElement(node) ||
    !(
      /^(?:header|footer|aside)$/.test(node.tagName) &&
      findElement(node, ({ tagName }) => tagName === 'h1') === null
    )
  body.childNodes = body.childNodes.filter(isText)
  return body
}
