import path from 'node:path'
import type { SiteJson } from '@sekisho/contract/site-json'
import { buildIndex, type IndexPage, type IndexReport } from '@sekisho/search/indexer'
import type { LastVersions } from '../../content/loaded-content.ts'
import { describeMaker, openKeptResults } from '../../results/kept-results.ts'
import { runInThreads } from '../../threads/run-in-threads.ts'
import { createJob, type PageJobData } from './page-job.ts'

/** What there is to index, and where the next build finds what this one knew. */
export type SiteToIndex = {
  readonly outDir: string
  readonly cacheDir: string
  readonly pages: SiteJson['pages']
  readonly lastVersions: LastVersions
  /** File of the pages as they were read for the build before; without one all are read. */
  readonly readPages?: string | null
}

/** Reads every page a reader may find from the build's HTML, in the order of their routes. */
export async function readSite({
  outDir,
  pages,
  lastVersions,
  readPages = null,
}: Omit<SiteToIndex, 'cacheDir'>): Promise<IndexPage[]> {
  const kept = openKeptResults<IndexPage | null>(readPages, describeMaker(import.meta.dirname, ['parse5']))
  const data: PageJobData = { outDir, lastVersions: [...lastVersions], known: kept.keys() }
  const module = new URL('./page-job.ts', import.meta.url)
  const results = await runInThreads({ module, createJob, data, items: pages })
  const readAgain = createJob({ ...data, known: [] })
  const found = results.map(({ key, made }, at) => {
    const known = made === undefined ? kept.take(key) : undefined
    if (known !== undefined) return known.value
    const page = pages[at]
    const value = made === undefined && page !== undefined ? (readAgain(page).made ?? null) : (made ?? null)
    kept.put(key, value)
    return value
  })
  kept.save()
  return found.filter((page) => page !== null)
}

/** Writes `__sekisho/search.db` into the output folder. */
export async function indexSite(site: SiteToIndex): Promise<IndexReport> {
  const pages = await readSite(site)
  const outFile = path.join(site.outDir, '__sekisho', 'search.db')
  return buildIndex({ pages, outFile, cacheDir: site.cacheDir })
}
