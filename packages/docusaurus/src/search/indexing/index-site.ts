import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { buildIndex, type IndexPage, type Vocabulary } from '@sekisho/search/indexer'
import { Tinypool } from 'tinypool'
import type { DocsVersion } from '../../content/loaded-content.ts'
import { markdownFileOf } from '../../page-tools/text-pages.ts'
import { describeMaker, openKeptResults } from './kept-results.ts'
import { createPageReader, type MadeOfPage, type PageJobData, type ReadResult } from './page-job.ts'

/** What there is to index, and where the next build finds what this one knew. */
export type SiteToIndex = {
  readonly outDir: string
  readonly cacheDir: string
  readonly pages: SiteJson['pages']
  /** Versions of documents, those below others first. */
  readonly versions: readonly DocsVersion[]
  /** File of the pages as they were read for the build before; without one all are read. */
  readonly readPages?: string | null
  /** Whether each text is written beside its page as Markdown, too. */
  readonly withMarkdown?: boolean
  /** The team's own words. */
  readonly vocabulary?: Vocabulary
}

/** Where the code is that reads any page's HTML. */
const HTML_READING = path.dirname(fileURLToPath(import.meta.resolve('@sekisho/search/html')))
const LIBRARIES = [
  'parse5',
  'hast-util-from-parse5',
  'hast-util-to-mdast',
  'mdast-util-to-markdown',
  'mdast-util-gfm',
]

/** Reads every page a reader may find from the build's HTML, in the order of their routes. */
export async function readSite({
  outDir,
  pages,
  readPages = null,
  withMarkdown = false,
}: Omit<SiteToIndex, 'cacheDir' | 'versions'>): Promise<IndexPage[]> {
  const maker = describeMaker([import.meta.dirname, HTML_READING], LIBRARIES)
  const kept = openKeptResults<MadeOfPage>(readPages, maker)
  const data: PageJobData = { outDir, known: kept.keys(), withMarkdown }
  const results = await readEach(pages, data)
  const readAgain = createPageReader({ ...data, known: [] })
  const found = results.map(({ key, made }, at) => {
    const page = pages[at]
    const known = made === undefined ? kept.take(key)?.value : undefined
    const value = known ?? made ?? (page === undefined ? undefined : readAgain(page).made)
    if (page === undefined || value === undefined) return null
    if (known === undefined) kept.put(key, value)
    if (value.markdown !== null)
      writeUnlessThere(path.join(outDir, markdownFileOf(page.file)), value.markdown)
    return value.index
  })
  kept.save()
  return found.filter((page) => page !== null)
}

/** A file of the site under the same name is the site's, and stays. */
function writeUnlessThere(file: string, text: string): void {
  if (!existsSync(file)) writeFileSync(file, text)
}

/** Below this, starting threads takes longer than they save. */
const MIN_PARALLEL_PAGES = 64
const BATCH_PAGES = 16
const MAX_THREADS = 8

/** Results in the order of the pages. Threads take the memory they needed with them when they end. */
async function readEach(pages: SiteJson['pages'], data: PageJobData): Promise<readonly ReadResult[]> {
  if (pages.length < MIN_PARALLEL_PAGES) return pages.map(createPageReader(data))
  const threads = Math.min(MAX_THREADS, availableParallelism())
  const filename = new URL('./page-job.ts', import.meta.url).href
  const pool = new Tinypool({ filename, workerData: data, minThreads: threads, maxThreads: threads })
  const starts = Array.from({ length: Math.ceil(pages.length / BATCH_PAGES) }, (_, at) => at * BATCH_PAGES)
  try {
    const batches: (readonly ReadResult[])[] = await Promise.all(
      starts.map((start) => pool.run(pages.slice(start, start + BATCH_PAGES))),
    )
    return batches.flat()
  } finally {
    await pool.destroy()
  }
}

/**
 * Writes `__sekisho/search.db` into the output folder, and beside it an index for each version that is not read by default: it holds
 * what the first one holds, with the documents of that version in the place of the default ones.
 */
export async function indexSite(site: SiteToIndex): Promise<void> {
  const pages = await readSite(site)
  const { outDir, cacheDir, versions, vocabulary = { words: [], synonyms: [] } } = site
  const owners = new Map(pages.map((page) => [page, ownerOf(page, versions)]))
  const write = (name: string, isIn: (owner: DocsVersion | null) => boolean) =>
    buildIndex({
      pages: pages.filter((page) => isIn(owners.get(page) ?? null)),
      outFile: path.join(outDir, SIDECAR, `${name}.db`),
      cacheDir: name === 'search' ? cacheDir : path.join(cacheDir, name),
      vocabulary,
    })
  await write('search', (owner) => owner === null || owner.isLast)
  for (const { version, name } of versionIndexes(versions))
    await write(name, (owner) =>
      owner === null || owner.plugin !== version.plugin ? (owner?.isLast ?? true) : owner === version,
    )
}

/** The versions that have an index of their own, and what it is called. */
export function versionIndexes(versions: readonly DocsVersion[]) {
  return versions
    .filter(({ isLast }) => !isLast)
    .map((version, index) => ({ version, name: `search-${index + 1}` }))
}

/** The version a document is of; null for what no docs plugin made. */
function ownerOf({ id, kind }: IndexPage, versions: readonly DocsVersion[]): DocsVersion | null {
  if (kind !== 'docs' && kind !== 'knowledge') return null
  return versions.find(({ path }) => `${id}/`.startsWith(path)) ?? null
}
