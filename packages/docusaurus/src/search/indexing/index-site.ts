import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import {
  buildIndex,
  EMBEDDINGS_KEY_VARIABLE,
  type IndexPage,
  type PageKind,
  type Vocabulary,
} from '@sekisho/search/indexer'
import { Tinypool } from 'tinypool'
import { type DocsVersion, type LeftOut, pathKey } from '../../content/loaded-content.ts'
import type { Searched } from '../../options.ts'
import { inSiteLanguage } from '../../writing/site-language.ts'
import { searchProblemOf } from '../../writing/texts/index.ts'
import { describeMaker, openKeptResults } from './kept-results.ts'
import { createPageReader, type PageJobData, type ReadResult } from './page-job.ts'

/** Pages to index, and the cache for the next build. */
type SiteToIndex = {
  readonly outDir: string
  readonly cacheDir: string
  readonly pages: SiteJson['pages']
  /** Versions of documents, those below others first. */
  readonly versions: readonly DocsVersion[]
  /** File of the pages as they were read for the build before; without one all are read. */
  readonly readPages?: string | null
  /** The team's own words. */
  readonly vocabulary?: Vocabulary
  /** Kinds of pages that are searched; all unless told. */
  readonly searched?: Searched
  /** Pages that are not, by `pathKey` of their paths. */
  readonly leftOut?: ReadonlyMap<string, LeftOut>
}

/** Folder of the code that reads any page's HTML. */
const HTML_READING = path.dirname(fileURLToPath(import.meta.resolve('@sekisho/search/html')))
const LIBRARIES = ['parse5']

/**
 * Reads all searchable pages from the build's HTML and yields them in route order, repeatedly. Results wait on disk: threads have released
 * their memory before the first page is wanted, and at most one page is held.
 */
export async function readSite<Result>(
  { outDir, pages, readPages = null }: Omit<SiteToIndex, 'cacheDir' | 'versions'>,
  use: (read: Iterable<IndexPage>) => Promise<Result>,
): Promise<Result> {
  const maker = describeMaker([import.meta.dirname, HTML_READING], LIBRARIES)
  const folder = readPages === null ? mkdtempSync(path.join(tmpdir(), 'sekisho-pages-')) : null
  const kept = openKeptResults<IndexPage | null>(readPages ?? path.join(folder ?? '', 'pages'), maker)
  const data: PageJobData = { outDir, known: kept.keys() }
  const readAgain = createPageReader({ ...data, known: [] })
  const keys: string[] = []
  try {
    for await (const { key, made } of readEach(pages, data)) {
      if (made === undefined) kept.keep(key)
      else kept.put(key, made)
      keys.push(key)
    }
    kept.save()
    return await use({ [Symbol.iterator]: readKept })
  } finally {
    kept.close()
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }

  function* readKept(): Generator<IndexPage> {
    for (const [at, page] of pages.entries()) {
      const made = kept.read(keys[at] ?? '')?.value ?? readAgain(page).made
      if (made != null) yield made
    }
  }
}

/** Below this, starting threads takes longer than they save. */
const MIN_PARALLEL_PAGES = 64
const BATCH_PAGES = 16
const MAX_THREADS = 8
const MAX_AHEAD = 2

/** Results in the order of the pages, of which only as many are under way as keep the threads busy. */
async function* readEach(pages: SiteJson['pages'], data: PageJobData): AsyncGenerator<ReadResult> {
  if (pages.length < MIN_PARALLEL_PAGES) {
    yield* pages.map(createPageReader(data))
    return
  }
  const threads = Math.min(MAX_THREADS, availableParallelism())
  const filename = new URL('./page-job.ts', import.meta.url).href
  const pool = new Tinypool({ filename, workerData: data, minThreads: threads, maxThreads: threads })
  const running: Promise<readonly ReadResult[]>[] = []
  try {
    for (let start = 0; start < pages.length || running.length > 0; start += BATCH_PAGES) {
      if (start < pages.length) {
        const batch: Promise<readonly ReadResult[]> = pool.run(pages.slice(start, start + BATCH_PAGES))
        batch.catch(() => undefined) // whoever waits for it is told
        running.push(batch)
      }
      if (start >= pages.length || running.length > threads * MAX_AHEAD) yield* (await running.shift()) ?? []
    }
  } finally {
    await pool.destroy()
  }
}

/**
 * Writes `__sekisho/search.db` into the output folder, and beside it an index for each version that is not read by default: it holds
 * what the first one holds, with the documents of that version in the place of the default ones.
 */
export async function indexSite(site: SiteToIndex): Promise<void> {
  const { outDir, cacheDir, versions, vocabulary = { words: [], synonyms: [] } } = site
  const { searched = SEARCH_ALL, leftOut = new Map<string, LeftOut>() } = site
  const isSearched = ({ id, kind }: IndexPage) => searched[areaOf(kind)] && !leftOut.has(pathKey(id))
  await readSite(site, async (read) => {
    tellLeftOut(read, searched, leftOut)
    const write = async (name: string, isIn: (owner: DocsVersion | null) => boolean) => {
      const { notEmbedded } = await buildIndex({
        pages: Iterator.from(read).filter((page) => isSearched(page) && isIn(ownerOf(page, versions))),
        outFile: path.join(outDir, SIDECAR, `${name}.db`),
        cacheDir: name === 'search' ? cacheDir : path.join(cacheDir, name),
        vocabulary,
        embeddingsKey: process.env[EMBEDDINGS_KEY_VARIABLE],
      })
      if (notEmbedded !== null) {
        const { pages, problem } = notEmbedded
        console.warn(inSiteLanguage(searchProblemOf('without_vectors', pages, problem)))
      }
    }
    await write('search', (owner) => owner === null || owner.isLast)
    for (const { version, name } of versionIndexes(versions))
      await write(name, (owner) =>
        owner === null || owner.plugin !== version.plugin ? (owner?.isLast ?? true) : owner === version,
      )
  })
}

const SEARCH_ALL: Searched = { docs: true, blog: true, pages: true }

const areaOf = (kind: PageKind): keyof Searched =>
  kind === 'blog' ? 'blog' : kind === 'page' ? 'pages' : 'docs'

/** Says how many pages readers do not find, and why: a search without them looks like a site without them. */
function tellLeftOut(
  read: Iterable<IndexPage>,
  searched: Searched,
  leftOut: ReadonlyMap<string, LeftOut>,
): void {
  const counts = { unlisted: 0, search_false: 0, of_kind: 0 }
  for (const { id, kind } of read) {
    const why = leftOut.get(pathKey(id)) ?? (searched[areaOf(kind)] ? null : 'of_kind')
    if (why !== null) counts[why] += 1
  }
  const { unlisted, search_false, of_kind } = counts
  const total = unlisted + search_false + of_kind
  if (total > 0)
    console.info(inSiteLanguage(searchProblemOf('left_out', total, unlisted, search_false, of_kind)))
}

/** The versions that have an index of their own, and what it is called. */
export function versionIndexes(versions: readonly DocsVersion[]) {
  return versions
    .filter(({ isLast }) => !isLast)
    .map((version, index) => ({ version, name: `search-${index + 1}` }))
}

/** The version a document is of; null for what no docs plugin made. */
export function ownerOf(
  { id, kind }: { readonly id: string; readonly kind: string },
  versions: readonly DocsVersion[],
): DocsVersion | null {
  if (kind !== 'docs' && kind !== 'reference' && kind !== 'knowledge') return null
  return versions.find(({ path }) => `${id}/`.startsWith(path)) ?? null
}
