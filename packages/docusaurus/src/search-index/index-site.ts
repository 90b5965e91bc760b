import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildIndex, type IndexPage, type IndexReport } from '@sekisho/search/indexer'
import { describeMaker, openKeptResults } from '../results/kept-results.ts'
import type { SiteJson } from '../site-json/site-json.ts'
import { type LastVersions, readPage } from './read-page.ts'

/** What there is to index, and where the next build finds what this one knew. */
export type SiteToIndex = {
  readonly outDir: string
  readonly cacheDir: string
  readonly pages: SiteJson['pages']
  readonly lastVersions: LastVersions
  /** File of the pages as they were read for the build before; without one all are read. */
  readonly readPages?: string | null
}

const CONCURRENCY = 16

/** Reads every page a reader may find from the build's HTML, in the order of their routes. */
export async function readSite({
  outDir,
  pages,
  lastVersions,
  readPages = null,
}: Omit<SiteToIndex, 'cacheDir'>) {
  const found: IndexPage[] = []
  const kept = openKeptResults<IndexPage | null>(readPages, describeMaker(import.meta.dirname, ['parse5']))
  for (let start = 0; start < pages.length; start += CONCURRENCY) {
    const batch = pages.slice(start, start + CONCURRENCY).map(async (page) => {
      const html = await readFile(path.join(outDir, page.file), 'utf8')
      const input = JSON.stringify([page.path, page.title, [...lastVersions], html])
      return kept.find(input, () => readPage({ path: page.path, title: page.title, html }, lastVersions))
    })
    for (const page of await Promise.all(batch)) if (page !== null) found.push(page)
  }
  kept.save()
  return found
}

/** Writes `__sekisho/search.db` into the output folder. */
export async function indexSite(site: SiteToIndex): Promise<IndexReport> {
  const pages = await readSite(site)
  const outFile = path.join(site.outDir, '__sekisho', 'search.db')
  return buildIndex({ pages, outFile, cacheDir: site.cacheDir })
}
