import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import { isNestedTooDeep, nestedTooDeep } from '@sekisho/contract/html-depth'
import { contentOf } from '@sekisho/contract/html-tree'
import type { SiteJson, SitePage } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { decodePage } from '@sekisho/release/packing'
import { type PageHead, readPageHead, readSections } from '@sekisho/search/html'
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
